import type { AgentTools, McpServerConfig, ModelConfig, ModelLike } from "@tenterhook/agent";
import type { WorkFolders } from "./work-folders.ts";

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What runs find on the machine that carries them out. */
export interface Machine {
  /** By the names that blueprints call them by. */
  readonly models: Readonly<Record<string, ModelConfig | ModelLike>>;
  /** Beside the built-in ones. */
  readonly tools: AgentTools;
  readonly mcpServers: Readonly<Record<string, McpServerConfig>>;
  readonly workFolders: WorkFolders;
  /** Where hooks in files are looked for, and what commands are given of it. */
  readonly env: Environment;
  /** Variables that commands may see although their names look like secrets. */
  readonly allowedSecrets: readonly string[];
  /** What relative paths of modules count from. */
  readonly baseDir: string;
}
