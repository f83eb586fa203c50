/** The frameworks that have an adapter, by the name of its entry point. */
export type AdapterName =
  | "ai-sdk"
  | "langchain"
  | "openai-agents"
  | "claude-agent-sdk"
  | "mastra"
  | "strands";
