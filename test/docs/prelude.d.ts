// Names that snippets use without declaring them: the sentence before a snippet describes them.
type Hooks = import("@tenterhook/engine").Hooks;

declare const hooks: Hooks;
declare const agent: import("@tenterhook/agent").Agent;
declare const model: import("@tenterhook/agent").Model;
declare const tools: import("@tenterhook/agent").AgentTools;
declare const bash: import("@tenterhook/agent").AgentTool;
declare const z: typeof import("zod").z;

declare function testsPass(): Promise<boolean>;
declare const signal: AbortSignal;
declare const approve: NonNullable<import("@tenterhook/engine").DispatchOptions["approve"]>;
declare const name: string;
declare const input: Record<string, unknown>;
declare function execute(input: unknown): Promise<unknown>;
declare function tellTheModel(reason: string | undefined): void;
declare const metrics: { count(name: string): void; record(name: string, value: number): void };
declare const alerts: { send(text: string): void };
declare function audit(context: unknown): void;
declare function log(...facts: unknown[]): void;
declare const request: import("@tenterhook/engine").Payload<"before_llm">;
declare function callTheModel(): Promise<unknown>;

// A provider of the AI SDK that the repository does not install.
declare module "@ai-sdk/anthropic" {
  export function anthropic(name: string): Exclude<import("ai").LanguageModel, string>;
}

// A framework that the repository does not install; its real types are checked in test/adapters.
declare module "@anthropic-ai/claude-agent-sdk" {
  type Message =
    | { type: "result"; subtype: "success"; result: string }
    | { type: "result"; subtype: "error_during_execution" }
    | { type: "user"; message: { content: unknown } }
    | { type: "assistant" };
  export function query(params: { prompt: string; options?: object }): AsyncGenerator<Message, void>;
}
