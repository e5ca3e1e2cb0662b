import { assertEquals, assertStringIncludes } from "@std/assert";
import { findFolders } from "../../src/cli/config.ts";
import { FakeService } from "../testing/fake_service.ts";
import { Box } from "../testing/program.ts";

Deno.test("findFolders() passes over a relative XDG path, which would be another folder in every project", () => {
  const variables: Record<string, string> = { HOME: "/h", XDG_CONFIG_HOME: "c", XDG_STATE_HOME: "./s" };
  const folders = findFolders("linux", (name) => variables[name]);
  assertEquals(folders, { home: "/h", config: "/h/.config/mini-agent", data: "/h/.local/state/mini-agent" });
});

Deno.test("a configured provider that has a known name takes its place, with its key and its way of asking", async () => {
  await using service = new FakeService("Hello");
  await using box = await Box.create();
  for (const [kind, path] of [["openai", "/chat/completions"], ["anthropic", "/v1/messages"]] as const) {
    await box.configure({ providers: { deepseek: { kind, baseUrl: service.url } }, retries: { max: 0 } });
    await box.run(["-p", "hi"], { env: { DEEPSEEK_API_KEY: "key-1234567890" } });
    const { path: asked, headers } = service.requests.at(-1)!;
    assertEquals(asked, path);
    assertStringIncludes(headers.get("authorization") ?? headers.get("x-api-key") ?? "", "key-1234567890");
  }
});

Deno.test("a missing HOME is told from one that may not be seen", async () => {
  await using box = await Box.create();
  const unset = await box.run(["-p", "hi"], { env: { HOME: "" } });
  assertStringIncludes(unset.stderr, "Your configuration is not used: HOME is not set");
  const hidden = await box.run(["-p", "hi"], { grants: ["--allow-read"] });
  assertStringIncludes(hidden.stderr, "Your configuration is not used: HOME cannot be read, see --allow-env");
});

Deno.test("a key that may not be seen is told from one that is not set", async () => {
  await using box = await Box.create();
  const options = { grants: ["--allow-read"], env: { OPENAI_API_KEY: "k" } };
  const { code, stderr } = await box.run(["-m", "openai/q", "-p", "hi"], options);
  assertEquals(code, 2);
  assertStringIncludes(stderr, "set OPENAI_API_KEY (or --allow-env=OPENAI_API_KEY, if it is set)");
});

Deno.test("a configuration that is a folder ends the start: its rules would be lost", async () => {
  await using box = await Box.create({ ".mini-agent/config.json/a.txt": "" });
  const project = await box.run(["-p", "hi"]);
  assertEquals(project.code, 2);
  assertStringIncludes(project.stderr, `${box.path(".mini-agent/config.json")}": it is not a regular file`);
  await Deno.remove(box.path(".mini-agent"), { recursive: true });
  const users = box.home(".config/mini-agent/config.json");
  await Deno.mkdir(users, { recursive: true });
  const user = await box.run(["-p", "hi"]);
  assertEquals(user.code, 2);
  assertStringIncludes(user.stderr, `${users}": it is not a regular file`);
});

Deno.test("a folder called .env is no configuration", async () => {
  await using box = await Box.create({ ".env/bin/python": "" });
  assertEquals((await box.run(["-p", "hi"])).code, 0);
});
