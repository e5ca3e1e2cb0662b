import description from "./fetch_url.md" with { type: "text" };
import { defineTool, type Tool } from "./tool.ts";
import type { Resolver } from "./web_address.ts";

/** What the tool needs from the rest of the program. */
export interface FetchUrlOptions {
  /** Whether a text holds a known secret: no address that does is fetched. */
  holdsSecret?(text: string): boolean;
  /** Finds the IP addresses of a name; the system's own resolver if absent. */
  readonly resolve?: Resolver;
  /** Milliseconds for one call. */
  timeoutMs?: number;
}

/** Makes the tool that gets a web page as text. */
export function fetchUrlTool(options: FetchUrlOptions = {}): Tool {
  return defineTool({
    name: "fetch_url",
    description,
    access: "network",
    needs: ["net"],
    inputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
    subject: ({ url }) => url,
    execute: async (input, context) => await (await import("./fetch_url_call.ts")).call(input, context, options),
  });
}
