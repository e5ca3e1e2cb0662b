import { assertEquals } from "@std/assert";
import { UnexpectedModels } from "../../src/cli/unexpected_models.ts";

Deno.test("UnexpectedModels says once that another model answers", () => {
  const models = new UnexpectedModels();
  const notice = '"deepseek-v4-pro" was asked, "deepseek-flash" answers: the cost is that model\'s';
  assertEquals(models.notice("deepseek-v4-pro", "deepseek-flash"), notice);
  assertEquals(models.notice("deepseek-v4-pro", "deepseek-flash"), undefined);
  assertEquals(typeof models.notice("no-such-model", "deepseek-flash"), "string");
});

Deno.test("UnexpectedModels says nothing of the same model's other names, or of names that nobody knows", () => {
  const models = new UnexpectedModels();
  for (const answered of ["deepseek-flash", "deepseek-flash-1017", "m", "gpt-oss:20b", ""]) {
    assertEquals(models.notice("deepseek-flash", answered), undefined);
  }
});
