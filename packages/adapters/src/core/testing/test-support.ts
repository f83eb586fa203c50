import { EVENT_NAMES } from "@tenterhook/protocol";
import type { AdapterSupport } from "../support.ts";

const FULL = { level: "full", effects: [], by: "a test" } as const;

/** A framework that fires everything but compaction. */
export const everything: AdapterSupport = {
  adapter: "ai-sdk",
  name: "Everything",
  peer: { package: "everything", range: "^1.0.0", versions: ["1.2.0"] },
  events: Object.fromEntries(
    EVENT_NAMES.filter((event) => event !== "pre_compact").map((event) => [event, FULL]),
  ),
  around: { around_llm: "a test", around_tool: "a test" },
};
