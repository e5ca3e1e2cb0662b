import { DemoModel } from "../llm/demo.ts";
import type { Model } from "../llm/types.ts";
import type { Pricing } from "../agent/ledger.ts";
import type { CliOptions } from "./args.ts";
import type { Config } from "./config.ts";

export const VARIABLES: readonly string[] = ["AGENT_MODEL"];
export interface ConnectedModel {
  model: Model;
  price: Pricing;
  host?: string;
  apiKeySource: string;
  notices: string[];
}
export function connectModel(_options: CliOptions, _config: Config): ConnectedModel {
  return { model: new DemoModel(), price: () => undefined, apiKeySource: "none", notices: [] };
}
