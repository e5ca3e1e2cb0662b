import { assertEquals } from "@std/assert";
import { isSecret, secretsBelow } from "../../src/permissions/sensitive_paths.ts";

const NAMES = [
  "a.ts",
  ".env",
  ".ENV.local",
  ".env.example",
  "x.pem",
  "id_rsa",
  "id_map.ts",
  "config.json",
  ".netrc",
  "gh",
  "K\u0131",
  "\u212A.PEM.",
];
const FOLDERS = ["", "src", "src/deep", ".docker", ".config", "a/.Docker", "a/.config", "own"];

/** Folders that are secret themselves are not entered. */
function paths(root: string): string[] {
  return FOLDERS.flatMap((folder) => NAMES.map((name) => [root, folder, name].filter((part) => part !== "").join("/")));
}

Deno.test("secretsBelow() says what isSecret() says, wherever the walk begins", () => {
  const workspaces = [
    { cwd: "/w", roots: ["/w"] },
    { cwd: "/w", roots: ["/w"], home: "/home/u", ownFolders: ["/home/u/.config/mini-agent"] },
    { cwd: "/home/u/w", roots: ["/home/u/w", "/home/u/w/src"], home: "/home/u" },
    { cwd: "/home/u", roots: ["/home/u"], home: "/home/u", ownFolders: ["/home/u/own"] },
    { cwd: "/w", roots: ["/w"], ownFolders: ["/w/own"], readable: ["/w/own"] },
    { cwd: "/w", roots: ["/w"], ownFolders: ["/w/own"] },
  ];
  for (const workspace of workspaces) {
    const test = secretsBelow(workspace.cwd, workspace);
    for (const path of paths(workspace.cwd)) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      if (isSecret(folder, workspace)) continue;
      assertEquals(test(path), isSecret(path, workspace), `${path} in ${JSON.stringify(workspace)}`);
    }
  }
});

Deno.test("secretsBelow() takes all for secret below a folder that is", () => {
  const workspace = { cwd: "/w", roots: ["/w"] };
  assertEquals(secretsBelow("/w/.ssh", workspace)("/w/.ssh/known_hosts"), true);
});
