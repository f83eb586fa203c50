import type { Hooks } from "@tenterhook/engine";
import type { Message, ToolUse } from "@tenterhook/protocol";
import { APICallError } from "ai";
import {
  type AdapterOptions,
  type Beginning,
  callTool,
  contextText,
  HookedRun,
  RunEvents,
  type SupportCheck,
} from "../core/index.ts";
import { type AnsweredCall, findAnsweredCalls } from "./approval-responses.ts";
import type { ModelRun } from "./model-run.ts";
import { resolveModel } from "./resolve-model.ts";
import type { CallParams, Model, PromptMessage } from "./sdk-types.ts";
import { support } from "./support.ts";
import { readUserText } from "./user-message.ts";

/** What a call of the SDK begins with. */
export interface CallStart {
  readonly prompt?: unknown;
  readonly messages?: unknown;
  readonly agentName?: string | undefined;
  readonly maxRetries?: number | undefined;
  /** Only a model or a tool is wrapped, not the run: no event of the run is fired. */
  readonly isBare?: boolean | undefined;
  /** The tools that have no `execute`: the client executes them. */
  readonly clientTools?: ReadonlySet<string> | undefined;
  /** Called when the run waits for a person or a client, with the id of the call that it waits for. */
  readonly onPause?: ((toolCallId: string, run: SdkRun) => void) | undefined;
}

/** One call of `generate`, `stream`, `generateText` or `streamText` with its hooks. */
export class SdkRun implements ModelRun {
  readonly run: HookedRun;
  readonly events: RunEvents;
  /** The calls that a person decided about before this run. */
  readonly answered: ReadonlyMap<string, AnsweredCall>;
  /** Context that hooks added at tool calls, by the id of the call. */
  readonly #context = new Map<string, readonly string[]>();
  readonly #text: string;
  readonly #maxRetries: number;
  #attempts = 0;
  #beginning: Promise<Beginning & { type: "go_on" }> | undefined;
  readonly #start: CallStart;

  constructor(hooks: Hooks, options: AdapterOptions, check: SupportCheck, start: CallStart) {
    this.run = new HookedRun(hooks, { support, options, check, agentName: start.agentName });
    this.events = new RunEvents(this.run);
    this.#start = start;
    this.#text = readUserText(start.prompt, start.messages);
    this.#maxRetries = start.maxRetries ?? 2;
    const messages = Array.isArray(start.prompt) ? start.prompt : start.messages;
    this.answered = findAnsweredCalls(messages as readonly PromptMessage[] | undefined);
  }

  get isBare(): boolean {
    return this.#start.isBare === true;
  }

  get hasEnded(): boolean {
    return this.events.hasEnded;
  }

  /** Whether a hook changed the user's message. */
  isChanged({ text }: Beginning & { type: "go_on" }): boolean {
    return text !== this.#text;
  }

  /** Fires `before_agent`, once. Rejects when a hook refuses the turn; then the run has ended. */
  begin(): Promise<Beginning & { type: "go_on" }> {
    this.#beginning ??= this.#begin();
    return this.#beginning;
  }

  async #begin(): Promise<Beginning & { type: "go_on" }> {
    if (this.isBare) return { type: "go_on", message: this.#text, context: [], text: this.#text };
    try {
      const beginning = await this.events.begin(this.#text);
      if (beginning.type === "refused") throw beginning.error;
      await this.#recordRejections();
      return beginning;
    } catch (error) {
      throw await this.fail(error);
    }
  }

  /** The SDK does not execute what a person rejected, so that only this tells the hooks and the audit log about it. */
  async #recordRejections(): Promise<void> {
    for (const { call, decision } of this.answered.values()) {
      if (decision.type !== "reject") continue;
      const execute = () => Promise.reject(new Error(decision.reason ?? "a person rejected the call"));
      await callTool(this.run, call, { decision, execute });
    }
  }

  /** Notes that the run waits for the decision about a call. */
  pause(toolCallId: string): void {
    this.#start.onPause?.(toolCallId, this);
  }

  /** `prepareStep` has changed the request already. */
  prepareCall(params: CallParams): CallParams {
    return params;
  }

  findModel(name: string): Model {
    return resolveModel(name);
  }

  /** Notes the calls of an answer that the client executes. */
  noteCalls(toolUses: readonly ToolUse[]): void {
    for (const { id, name } of toolUses) if (this.#start.clientTools?.has(name)) this.pause(id);
  }

  addContext(toolCallId: string, context: readonly string[]): void {
    if (context.length > 0) this.#context.set(toolCallId, [...context]);
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

  /** Notes a successful model call: the next one may be retried again. */
  answeredCall(): void {
    this.#attempts = 0;
  }

  /** The error of a failed model call. The run has ended with it, unless the SDK tries the call again. */
  async failCall(error: unknown): Promise<Error> {
    const isRetried =
      this.run.stopped === undefined &&
      APICallError.isInstance(error) &&
      error.isRetryable &&
      ++this.#attempts <= this.#maxRetries;
    return isRetried ? error : this.fail(error);
  }

  /** Ends a run that failed or was stopped. Returns the error for the caller. */
  async fail(thrown: unknown): Promise<Error> {
    const ending = this.events.readFailure(thrown);
    if (this.isBare) return ending.error;
    return (await this.events.end(ending)) ?? ending.error;
  }

  /** Ends the run without an error of its own. Throws the error of a hook at its end. */
  async end(status: "completed" | "stopped", text?: string): Promise<void> {
    const error = await this.events.end({ status, ...(text !== undefined && { text }) });
    if (error !== undefined) throw error;
  }

  /** Asks whether the agent may stop after its answer; returns the feedback of a hook that keeps it running. */
  async finishAnswer(text: string, messages: readonly PromptMessage[]): Promise<string | undefined> {
    if (this.isBare) return undefined;
    await this.events.afterStep([...messages, { role: "assistant", content: text }] as Message[]);
    const answer = await this.events.askStop(text);
    if (answer.type === "go_on") return answer.feedback;
    await this.end("completed", text);
    return undefined;
  }
}
