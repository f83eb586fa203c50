import {
  afterStep,
  callTool,
  contextText,
  endRun,
  type HostRun,
  holdAtStop,
  readFailure,
  type ToolCall,
  type ToolEnd,
} from "@tenterhook/engine/host";
import type { Message, ToolUse } from "@tenterhook/protocol";
import { type AgentHooks, type FrameworkRun, startFrameworkRun } from "../core/index.ts";
import type { CallParams, GenerateResult, Model, PromptMessage } from "./sdk-types.ts";

/** One run of a framework whose loop calls models of the AI SDK: what these runs have in common. */
export abstract class LoopRun {
  readonly run: HostRun;
  /** Whether the run was begun, and no hook refused it. */
  hasBegun = false;
  /** Context that hooks added at tool calls, by the id of the call. */
  readonly #context = new Map<string, readonly string[]>();
  /** Failed attempts of the current model call. */
  #attempts = 0;
  /** Tools that are being executed. */
  #running = 0;

  constructor(agentHooks: AgentHooks, start: FrameworkRun) {
    this.run = startFrameworkRun(agentHooks, start);
  }

  /** Fires `before_agent`, once. Rejects when a hook refuses the turn; then the run has ended. */
  abstract begin(params: CallParams): Promise<unknown>;
  /** The request of a step, after `begin`: with what hooks changed before the step. */
  abstract prepareCall(params: CallParams): Promise<CallParams>;
  /** Another model, by its name. Throws for one that the framework does not know. */
  abstract findModel(name: string): Model;
  /** Notes the tool calls of an answer, and whether the framework executes them. */
  abstract noteCalls(toolUses: readonly ToolUse[], isExecuted: boolean): void;
  /** Whether the model is called again after an answer, because the result of a call that the provider executes is missing. */
  abstract isContinued(answer: GenerateResult): boolean;
  /** The error of a failed model call. The run has ended with it, unless the framework tries the call again. */
  abstract failCall(error: unknown): Promise<Error>;

  /** The same for an answer whose stream broke. */
  failStream(error: unknown): Promise<Error> {
    return this.fail(error);
  }

  /** The same for the error that an answer contains. */
  failPart(error: unknown): Promise<Error> {
    return this.fail(error);
  }

  /** Notes a successful model call: the next one may be retried again. */
  answeredCall(): void {
    this.#attempts = 0;
  }

  /** Counts a failed attempt; returns whether the framework tries again, which it does so often. */
  protected countAttempt(maxRetries: number): boolean {
    return ++this.#attempts <= maxRetries;
  }

  /** The prompt with the context that hooks added at tool calls, behind the results of these calls. */
  withContext(prompt: readonly PromptMessage[]): readonly PromptMessage[] {
    if (this.#context.size === 0) return prompt;
    return prompt.flatMap((message) => {
      const { role, content } = message;
      if (role !== "tool" || typeof content === "string") return [message];
      const added = content.flatMap(({ toolCallId }) => this.#context.get(String(toolCallId)) ?? []);
      if (added.length === 0) return [message];
      return [message, { role: "user", content: [{ type: "text", text: contextText(added) }] }];
    });
  }

  /** The result of a tool call for the framework. Throws what the model is to read as an error. */
  readEnd(toolCallId: string, end: ToolEnd): unknown {
    if (end.context.length > 0) this.#context.set(toolCallId, end.context);
    if (end.type === "result") return end.value;
    if (end.type !== "failed") throw new ToolRefusal(end.reason);
    const { error, shown } = end;
    if (shown === error.message) throw error;
    throw new ToolRefusal(typeof shown === "string" ? shown : JSON.stringify(shown), { cause: error });
  }

  /** Notes that a tool is executed. Frameworks end an aborted run after its tools, without another call of the model. */
  async during<T>(operation: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await operation();
    } finally {
      if (--this.#running === 0 && this.run.stopped?.by === "caller") await this.fail(undefined);
    }
  }

  /** The framework does not execute what a person rejected, so that only this tells the hooks and the audit log about it. */
  protected async recordRejection(call: ToolCall, reason?: string): Promise<void> {
    await callTool(this.run, call, {
      decision: { type: "reject", ...(reason !== undefined && { reason }) },
      execute: () => Promise.reject(new Error(reason ?? "a person rejected the call")),
    });
  }

  /** Asks whether the agent may stop after its answer: the feedback of a hook that keeps it running. */
  async finishAnswer(text: string, { prompt }: CallParams): Promise<string | undefined> {
    await afterStep(this.run, [...prompt, { role: "assistant", content: text }] as Message[]);
    const answer = await holdAtStop(this.run, text);
    if (answer.type === "go_on") return answer.feedback;
    await this.end("completed", text);
    return undefined;
  }

  /** Ends the run at its limit of steps. No hook overrides a limit, but hooks are called all the same. */
  async endAtLimit(text: string): Promise<void> {
    const { run } = this;
    if (run.hasEnded) return;
    await afterStep(run, []);
    await holdAtStop(run, text, "max_steps").catch((error: unknown) => {
      if (run.unsatisfied === undefined) throw error;
    });
    await this.end("stopped", text);
  }

  /** Ends a run that failed or was stopped. Returns the error for the caller. */
  async fail(thrown: unknown): Promise<Error> {
    const ending = readFailure(this.run, thrown);
    return (await endRun(this.run, ending)) ?? ending.error;
  }

  /** Calls a function whose error fails the run. */
  async orFail<T>(operation: () => T | PromiseLike<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      throw await this.fail(error);
    }
  }

  /** Ends the run without an error of its own. Throws the error of a hook at its end. */
  async end(status: "completed" | "stopped", text?: string): Promise<void> {
    const error = await endRun(this.run, { status, text });
    if (error !== undefined) throw error;
  }
}

/**
 * A refusal, as the model reads it. It is thrown: a returned text would have no mark of an error, and go through the tool's own
 * `toModelOutput`.
 */
class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";

  /** Version 7 of the AI SDK shows errors with their name in front; the model reads the reason alone. */
  override toString(): string {
    return this.message;
  }
}
