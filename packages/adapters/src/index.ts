export type { Effect } from "@tenterhook/engine/host";

import { support as aiSdk } from "./ai-sdk/support.ts";
import { CLAUDE_AGENT_SDK } from "./claude-agent-sdk/support.ts";
import type { AdapterSupport } from "./core/support.ts";
import { LANGCHAIN_SUPPORT } from "./langchain/support.ts";
import { MASTRA_SUPPORT } from "./mastra/support.ts";
import { SUPPORT as OPENAI_AGENTS } from "./openai-agents/support.ts";
import { strandsSupport } from "./strands/support.ts";

export type { AdapterOptions, HookSource } from "./core/adapter-options.ts";
export type { AdapterName, AdapterSupport, EventSupport, Peer } from "./core/support.ts";

/** What each adapter carries of each event: the extension point, the effects of hooks that reach the framework, and what differs. */
export function adapterSupport(): readonly AdapterSupport[] {
  return [aiSdk, LANGCHAIN_SUPPORT, OPENAI_AGENTS, CLAUDE_AGENT_SDK, MASTRA_SUPPORT, strandsSupport];
}
