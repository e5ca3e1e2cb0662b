import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FakeService, refusal } from "../testing/fake_service.ts";
import { Box } from "../testing/program.ts";

const key = { DEEPSEEK_API_KEY: "test-key-1234567890" };

Deno.test("mini-agent doctor asks the model, writes to the data folder and tries the sandbox for real", async () => {
  await using box = await Box.create();
  await using service = new FakeService("ok");
  const { code, stdout } = await box.run(["doctor"], { env: { ...key, DEEPSEEK_BASE_URL: service.url } });
  assertEquals(code, 0, stdout);
  assertEquals(service.requests.length, 1);
  assertStringIncludes(stdout, "ok   model deepseek/deepseek-flash answers, key from DEEPSEEK_API_KEY");
  assert(!stdout.includes(key.DEEPSEEK_API_KEY));
  if (stdout.includes("sandbox: bubblewrap")) {
    assertStringIncludes(stdout, "ok     write outside: blocked");
    assertStringIncludes(stdout, "ok     write in the workspace: allowed");
    assertStringIncludes(stdout, "ok     outside: untouched");
  }
});

Deno.test("mini-agent doctor fails where the model does not answer", async () => {
  await using box = await Box.create();
  await using service = new FakeService(refusal(401, { message: "bad key" }));
  const { code, stdout } = await box.run(["doctor"], { env: { ...key, DEEPSEEK_BASE_URL: service.url } });
  assertEquals(code, 1);
  assertStringIncludes(stdout, "fail model deepseek/deepseek-flash does not answer");
});

Deno.test("mini-agent doctor skips what its grants do not let it try, and says which flags it needs", async () => {
  await using box = await Box.create();
  const { stdout } = await box.run(["doctor"], { grants: ["--allow-read", "--allow-env"] });
  assertStringIncludes(stdout, "skip sandbox: not tried, for which --allow-write --allow-run --allow-net is needed");
});
