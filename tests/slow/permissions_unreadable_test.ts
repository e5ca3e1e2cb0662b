import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";

const CONFIG = fromFileUrl(new URL("../../deno.json", import.meta.url));
const PATHS = new URL("../../src/permissions/paths.ts", import.meta.url).href;

async function isRoot(): Promise<boolean> {
  return new TextDecoder().decode((await new Deno.Command("id", { args: ["-u"] }).output()).stdout) === "0\n";
}

Deno.test({
  name: "resolvePath() refuses what lies behind a folder that may not be read",
  ignore: Deno.build.os === "windows",
  async fn() {
    const base = await Deno.realPath(await Deno.makeTempDir());
    try {
      await Deno.mkdir(`${base}/closed/deeper`, { recursive: true });
      await Deno.writeTextFile(
        `${base}/try.ts`,
        `import { resolvePath } from ${JSON.stringify(PATHS)};
         const workspace = { cwd: ${JSON.stringify(base)}, roots: [${JSON.stringify(base)}] };
         for (const given of ["closed/deeper", "closed/new", "closed", "link/x"]) {
           await resolvePath(given, workspace).then(({ type }) => console.log(type), ({ message }) => console.log(message));
         }`,
      );
      await Deno.symlink("closed/deeper", `${base}/link`);
      await Deno.chmod(base, 0o755);
      await Deno.mkdir(`${base}/cache`);
      await Deno.chmod(`${base}/cache`, 0o777);
      await Deno.chmod(`${base}/closed`, 0);
      // root may read everything, so somebody else looks
      const user = await isRoot() ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : [];
      const [program = "", ...args] = [
        ...user,
        Deno.execPath(),
        "run",
        "-A",
        "--no-check",
        "-c",
        CONFIG,
        `${base}/try.ts`,
      ];
      const { stdout } = await new Deno.Command(program, {
        args,
        env: { DENO_DIR: `${base}/cache`, NO_COLOR: "1" },
      }).output();
      const reason = "a folder on the way to it may not be read";
      assertEquals(
        new TextDecoder().decode(stdout),
        [
          `Cannot use "closed/deeper": ${reason}`,
          `Cannot use "closed/new": ${reason}`,
          "folder",
          `Cannot use "link/x": ${reason}`,
          "",
        ].join("\n"),
      );
    } finally {
      await Deno.chmod(`${base}/closed`, 0o700);
      await Deno.remove(base, { recursive: true });
    }
  },
});
