import type { AgentTools, McpServerConfig, ModelConfig, ModelLike } from "@tenterhook/agent";
import type { WorkFolders } from "./work-folders.ts";

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What runs use on the machine that executes them. */
export interface Machine {
  /** By the names that blueprints use. */
  readonly models: Readonly<Record<string, ModelConfig | ModelLike>>;
  /** Beside the built-in ones. */
  readonly tools: AgentTools;
  readonly mcpServers: Readonly<Record<string, McpServerConfig>>;
  readonly workFolders: WorkFolders;
  /** Locates hooks in files; commands get it without its secrets. */
  readonly env: Environment;
  /** Variables that commands may see although their names look like secrets. */
  readonly allowedSecrets: readonly string[];
  /** Paths of modules are relative to it. */
  readonly baseDir: string;
}
