/** Rules about addresses, for names that lead there: gate and tool together. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { PermissionGate } from "../../src/agent/permission_gate.ts";
import type { Mode } from "../../src/permissions/grants.ts";
import { parseRule } from "../../src/permissions/rule_text.ts";
import type { Policy } from "../../src/permissions/rules.ts";
import { fetchUrlTool } from "../../src/tools/fetch_url.ts";
import type { ToolContext } from "../../src/tools/tool.ts";
import { RecordingUI } from "../testing/agents.ts";
import { newToolContext } from "../testing/tool_context.ts";

/** The tests may reach this machine by its own names only: to any other Deno closes the door behind all rules. */
const IS_NET_OPEN = Deno.permissions.querySync({ name: "net" }).state === "granted";
const PASSED = IS_NET_OPEN ? /hello/ : /Deno holds no permission to reach it \(--allow-net=name\.example/;

interface Try {
  mode: Mode;
  rules: [action: "allow" | "ask" | "deny", rule: string][];
  url: string;
  ui?: RecordingUI;
}

/** A server on 127.0.0.1 to which every name leads, and what became of a fetch. */
async function withServer(
  use: (
    fetch: (wanted: Try) => Promise<string>,
    port: number,
    seen: { names: string[]; requests: string[] },
  ) => Promise<void>,
): Promise<void> {
  const seen = { names: [] as string[], requests: [] as string[] };
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    seen.requests.push(request.headers.get("host") ?? "");
    const location = new URL(request.url).searchParams.get("to");
    return location === null ? new Response("hello") : new Response(null, { status: 302, headers: { location } });
  });
  const tool = fetchUrlTool({
    resolve: (name) => {
      seen.names.push(name);
      return Promise.resolve(["127.0.0.1"]);
    },
  });
  await use(
    async ({ mode, rules, url, ui = new RecordingUI() }) => {
      const workspace = { cwd: "/", roots: ["/"] };
      const parsed = rules.map(([action, text]) => parseRule(text, action, "test"));
      const policy: Policy = { mode, rules: parsed, workspace, sandboxed: false };
      const context: ToolContext = newToolContext({ cwd: "/", workspace });
      try {
        const gate = new PermissionGate({ policy: () => policy, ui, searchPath: [] });
        const admission = await gate.admit(tool, { url }, context);
        if (!admission.admitted) return admission.reason;
        return (await tool.execute({ url }, { ...context, ...admission.context })).content;
      } catch (error) {
        return String(error);
      }
    },
    server.addr.port,
    seen,
  );
}

Deno.test("a deny rule for an address holds for every name that leads there, in full mode too", () =>
  withServer(async (fetch, port, seen) => {
    const url = `http://name.example:${port}/`;
    const denied = "is not permitted, since the deny rule net(127.0.0.1)";
    for (const mode of ["ask", "edit", "full"] as const) {
      const rules: Try["rules"] = [["allow", `net(name.example:${port})`], ["deny", "net(127.0.0.1)"]];
      assertStringIncludes(await fetch({ mode, rules, url }), denied);
    }
    assertStringIncludes(
      await fetch({ mode: "full", rules: [["deny", `net(127.0.0.1:${port})`]], url }),
      "is not permitted",
    );
    assertStringIncludes(await fetch({ mode: "full", rules: [["deny", "net(localhost)"]], url }), "is not permitted");
    assertEquals(seen.names.length, 5, "each name is resolved once");
    assertEquals(seen.requests, [], "nothing was sent");
    for (const host of ["localhost", "127.0.0.1", "2130706433", "[::ffff:127.0.0.1]"]) {
      const rules: Try["rules"] = [["deny", "net(127.0.0.1)"]];
      assertStringIncludes(await fetch({ mode: "full", rules, url: `http://${host}:${port}/` }), denied, host);
    }
    assertEquals([seen.names.length, seen.requests], [5, []]);
  }));

Deno.test("a rule for another address lets a name pass, and the request goes where the name was found to lead", () =>
  withServer(async (fetch, port, seen) => {
    const url = `http://name.example:${port}/`;
    const rules: Try["rules"] = [["deny", "net(10.0.0.1)"], ["deny", `net(127.0.0.1:${port + 1})`]];
    assertMatch(await fetch({ mode: "full", rules, url }), PASSED);
    assertEquals(seen, { names: ["name.example"], requests: IS_NET_OPEN ? [`name.example:${port}`] : [] });
  }));

Deno.test("a redirect to a name that leads to a denied address is not followed", () =>
  withServer(async (fetch, port, seen) => {
    const url = `http://127.0.0.1:${port}/?to=${encodeURIComponent("http://name.example:1/")}`;
    const text = await fetch({ mode: "full", rules: [["deny", "net(127.0.0.1:1)"]], url });
    assertStringIncludes(text, "the deny rule net(127.0.0.1:1)");
    assertEquals([seen.names, seen.requests.length], [["name.example"], 1]);
  }));

Deno.test("an ask rule for an address asks when a name leads there", () =>
  withServer(async (fetch, port, seen) => {
    const url = `http://name.example:${port}/`;
    const rules: Try["rules"] = [["ask", "net(127.0.0.1)"]];
    const no = new RecordingUI({ answer: "no" });
    assertStringIncludes(await fetch({ mode: "full", rules, url, ui: no }), "The user denied");
    assertEquals(no.questions.map(({ reason }) => reason), ["the ask rule net(127.0.0.1)"]);
    assertEquals(seen.requests, []);
    assertMatch(await fetch({ mode: "full", rules, url, ui: new RecordingUI({ answer: "once" }) }), PASSED);
  }));
