import type { ToolUse } from "@tenterhook/protocol";
import type { HostRun } from "../core/index.ts";
import type { CallParams, GenerateResult, Model, PromptMessage } from "./sdk-types.ts";

/** The run of a wrapped model. Frameworks that take the models of the AI SDK have runs of their own. */
export interface ModelRun {
  readonly run: HostRun;
  /** Whether `begin` was called, and no hook refused the turn. */
  readonly hasBegun: boolean;
  /** Fires `before_agent`, once. Rejects when a hook refuses the turn; then the run has ended. */
  begin(params: CallParams): Promise<unknown>;
  /** The request of a step, after `begin`: with what hooks changed before the step. */
  prepareCall(params: CallParams): Promise<CallParams>;
  /** The prompt with the context that hooks added at tool calls. */
  withContext(prompt: readonly PromptMessage[]): readonly PromptMessage[];
  /** Another model, by its name. Throws for one that the framework does not know. */
  findModel(name: string): Model;
  /** Notes a successful model call. */
  answeredCall(): void;
  /** The error of a failed model call. The run has ended with it, unless the framework tries the call again. */
  failCall(error: unknown): Promise<Error>;
  /** Ends a run that failed or was stopped. Returns the error for the caller. */
  fail(thrown: unknown): Promise<Error>;
  /** The error of an answer whose stream broke. The run has ended with it, unless the framework tries the call again. */
  failStream(error: unknown): Promise<Error>;
  /** The error that an answer contains. The run has ended with it, unless the framework calls the model again. */
  failPart(error: unknown): Promise<Error>;
  /** Notes the tool calls of an answer, and whether the framework executes them. */
  noteCalls(toolUses: readonly ToolUse[], isExecuted: boolean): void;
  /** Whether the model is called again after an answer, because the result of a call that the provider executes is missing. */
  isContinued(answer: GenerateResult): boolean;
  /** Asks whether the agent may stop after its answer: the feedback of a hook that keeps it running. */
  finishAnswer(text: string, params: CallParams): Promise<string | undefined>;
}
