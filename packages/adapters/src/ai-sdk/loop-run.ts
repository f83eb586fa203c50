import type { Hooks } from "@tenterhook/engine";
import type { Message, ToolUse } from "@tenterhook/protocol";
import { contextText, HookedRun, type RunDetails, RunEvents } from "../core/index.ts";
import type { ModelRun } from "./model-run.ts";
import type { CallParams, GenerateResult, Model, PromptMessage } from "./sdk-types.ts";

/** One run of a framework whose loop calls models of the AI SDK: what these runs have in common. */
export abstract class LoopRun implements ModelRun {
  readonly run: HookedRun;
  readonly events: RunEvents;
  /** Context that hooks added at tool calls, by the id of the call. */
  #context: Map<string, readonly string[]> | undefined;
  /** Failed attempts of the current model call. */
  #attempts = 0;
  /** Tools that are being executed. */
  #running = 0;

  constructor(hooks: Hooks, details: RunDetails) {
    this.run = new HookedRun(hooks, details);
    this.events = new RunEvents(this.run);
  }

  /** Whether the run was begun, and no hook refused it. */
  hasBegun = false;

  abstract begin(params: CallParams): unknown;
  abstract prepareCall(params: CallParams): CallParams | Promise<CallParams>;
  abstract findModel(name: string): Model;
  abstract noteCalls(toolUses: readonly ToolUse[], isExecuted: boolean): void;
  abstract isContinued(answer: GenerateResult): boolean;
  abstract failCall(error: unknown): Promise<Error>;
  abstract failStream(error: unknown): Promise<Error>;

  get hasEnded(): boolean {
    return this.events.hasEnded;
  }

  addContext(toolCallId: string, context: readonly string[]): void {
    if (context.length === 0) return;
    this.#context ??= new Map();
    this.#context.set(toolCallId, [...context]);
  }

  /** The prompt with the context that hooks added at tool calls, behind the results of these calls. */
  withContext(prompt: readonly PromptMessage[]): readonly PromptMessage[] {
    const context = this.#context;
    if (context === undefined) return prompt;
    return prompt.flatMap((message) => {
      const { role, content } = message;
      if (role !== "tool" || typeof content === "string") return [message];
      const added = content.flatMap(({ toolCallId }) => context.get(String(toolCallId)) ?? []);
      if (added.length === 0) return [message];
      return [message, { role: "user", content: [{ type: "text", text: contextText(added) }] }];
    });
  }

  /** Counts a failed attempt; returns whether the framework tries again, which it does so often. */
  protected countAttempt(maxRetries: number): boolean {
    return ++this.#attempts <= maxRetries;
  }

  /** The next model call may be retried again. */
  answeredCall(): void {
    this.#attempts = 0;
  }

  /** Notes that a tool is executed. Frameworks end an aborted run after its tools, without another call of the model. */
  async during<T>(operation: () => Promise<T>): Promise<T> {
    this.enterTool();
    try {
      return await operation();
    } finally {
      await this.leaveTool();
    }
  }

  /** The same in two functions, where another async function would delay the tool. `leaveTool` is called however the tool ends. */
  enterTool(): void {
    this.#running++;
  }

  /** A promise only if the run has ended. */
  leaveTool(): Promise<unknown> | undefined {
    const isLast = --this.#running === 0;
    const { run } = this;
    return isLast && run.stopped !== undefined && !run.isStoppedByHook ? this.fail(undefined) : undefined;
  }

  failPart(error: unknown): Promise<Error> {
    return this.fail(error);
  }

  /** Ends a run that failed or was stopped. Returns the error for the caller. */
  async fail(thrown: unknown): Promise<Error> {
    const ending = this.events.readFailure(thrown);
    return (await this.events.end(ending)) ?? ending.error;
  }

  /** Ends the run without an error of its own. Throws the error of a hook at its end. */
  async end(status: "completed" | "stopped", text?: string): Promise<void> {
    const error = await this.events.end({ status, ...(text !== undefined && { text }) });
    if (error !== undefined) throw error;
  }

  /** Ends the run at its limit of steps. No hook overrides a limit, but hooks are called all the same. */
  async endAtLimit(text: string, messages: readonly PromptMessage[] = []): Promise<void> {
    if (this.hasEnded) return;
    const { events } = this;
    await events.afterStep(messages as readonly Message[]);
    await events.askStop(text, "max_steps").catch((error: unknown) => {
      if (events.unsatisfied === undefined) throw error;
    });
    await this.end("stopped", text);
  }

  finishAnswer(text: string, params: CallParams): Promise<string | undefined> | undefined {
    return this.events.endUnobserved() ? undefined : this.#askHooks(text, params);
  }

  async #askHooks(text: string, { prompt }: CallParams): Promise<string | undefined> {
    await this.events.afterStep([...prompt, { role: "assistant", content: text }] as Message[]);
    const answer = await this.events.askStop(text);
    if (answer.type === "go_on") return answer.feedback;
    await this.end("completed", text);
    return undefined;
  }
}
