import { join } from "node:path";
import type { CommandSandbox } from "./command-sandbox.ts";

interface AgentParts {
  /** The turns of the scripted model; ignored with `model`. */
  readonly script?: readonly unknown[];
  readonly model?: object;
  readonly tools?: readonly string[];
  /** More fields of the agent. */
  readonly fields?: object;
  /** More fields of the file. */
  readonly file?: object;
}

/** Writes an agent into the project, and returns the file's name. */
export function agentFile(sandbox: CommandSandbox, parts: AgentParts = {}): string {
  const { script = ["Hello!"], model = { provider: "scripted", script }, tools = [], fields, file } = parts;
  const agent = {
    id: "assistant",
    name: "Assistant",
    description: "",
    modelName: "main",
    instructions: "",
    toolNames: tools,
    ...fields,
  };
  const { agents = [], models = {}, ...rest } = { ...file } as { agents?: object[]; models?: object };
  sandbox.write(
    join(sandbox.project, "agent.json"),
    JSON.stringify({ agents: [agent, ...agents], models: { main: model, ...models }, ...rest }),
  );
  return "agent.json";
}
