// How long a start takes: by itself, and through run.sh once everything is there.
import { fromFileUrl } from "@std/path";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

async function start(command: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args, stdin: "null", stdout: "null" }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

Deno.bench("deno run main.ts --version", { group: "start", baseline: true }, async () => {
  await start(Deno.execPath(), ["run", "--allow-read", "--cached-only", `${ROOT}main.ts`, "--version"]);
});

Deno.bench("scripts/run.sh --version", { group: "start" }, async () => {
  await start("sh", [`${ROOT}scripts/run.sh`, "--version"]);
});
