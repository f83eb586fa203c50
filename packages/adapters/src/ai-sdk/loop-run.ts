import type { Hooks } from "@tenterhook/engine";
import type { Message, ToolUse } from "@tenterhook/protocol";
import {
  afterStep,
  contextText,
  endRun,
  type FrameworkRun,
  type HostRun,
  holdAtStop,
  readFailure,
  startFrameworkRun,
} from "../core/index.ts";
import type { ModelRun } from "./model-run.ts";
import type { CallParams, GenerateResult, Model, PromptMessage } from "./sdk-types.ts";

/** One run of a framework whose loop calls models of the AI SDK: what these runs have in common. */
export abstract class LoopRun implements ModelRun {
  readonly run: HostRun;
  /** Context that hooks added at tool calls, by the id of the call. */
  #context: Map<string, readonly string[]> | undefined;
  /** Failed attempts of the current model call. */
  #attempts = 0;
  /** Tools that are being executed. */
  #running = 0;

  constructor(hooks: Hooks, details: FrameworkRun) {
    this.run = startFrameworkRun(hooks, details);
  }

  /** Whether the run was begun, and no hook refused it. */
  hasBegun = false;

  abstract begin(params: CallParams): Promise<unknown>;
  abstract prepareCall(params: CallParams): Promise<CallParams>;
  abstract findModel(name: string): Model;
  abstract noteCalls(toolUses: readonly ToolUse[], isExecuted: boolean): void;
  abstract isContinued(answer: GenerateResult): boolean;
  abstract failCall(error: unknown): Promise<Error>;
  abstract failStream(error: unknown): Promise<Error>;

  get hasEnded(): boolean {
    return this.run.hasEnded;
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
    this.#running++;
    try {
      return await operation();
    } finally {
      if (--this.#running === 0 && this.run.stopped?.by === "caller") await this.fail(undefined);
    }
  }

  failPart(error: unknown): Promise<Error> {
    return this.fail(error);
  }

  /** Ends a run that failed or was stopped. Returns the error for the caller. */
  async fail(thrown: unknown): Promise<Error> {
    const ending = readFailure(this.run, thrown);
    return (await endRun(this.run, ending)) ?? ending.error;
  }

  /** Ends the run without an error of its own. Throws the error of a hook at its end. */
  async end(status: "completed" | "stopped", text?: string): Promise<void> {
    const error = await endRun(this.run, { status, ...(text !== undefined && { text }) });
    if (error !== undefined) throw error;
  }

  /** Ends the run at its limit of steps. No hook overrides a limit, but hooks are called all the same. */
  async endAtLimit(text: string, messages: readonly PromptMessage[] = []): Promise<void> {
    if (this.hasEnded) return;
    const { run } = this;
    await afterStep(run, messages as readonly Message[]);
    await holdAtStop(run, text, "max_steps").catch((error: unknown) => {
      if (run.unsatisfied === undefined) throw error;
    });
    await this.end("stopped", text);
  }

  async finishAnswer(text: string, { prompt }: CallParams): Promise<string | undefined> {
    await afterStep(this.run, [...prompt, { role: "assistant", content: text }] as Message[]);
    const answer = await holdAtStop(this.run, text);
    if (answer.type === "go_on") return answer.feedback;
    await this.end("completed", text);
    return undefined;
  }
}
