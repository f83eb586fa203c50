import { randomUUID } from "node:crypto";
import type { Hooks } from "@tenterhook/engine";
import { ownField } from "@tenterhook/internal";
import type { ToolUse } from "@tenterhook/protocol";
import * as sdk from "ai";
import {
  type AdapterOptions,
  beginTurn,
  callTool,
  findParent,
  joinContext,
  readFailure,
  type SupportCheck,
  startSubagent,
  toError,
} from "../core/index.ts";
import { type AnsweredCall, findAnsweredCalls } from "./approval-responses.ts";
import { ChangedMessages } from "./changed-messages.ts";
import { LoopRun } from "./loop-run.ts";
import { resolveModel } from "./resolve-model.ts";
import type { CallParams, GenerateResult, Model, PromptMessage, Tools } from "./sdk-types.ts";
import { leaveToCallback, StreamRetries } from "./stream-retries.ts";
import { support } from "./support.ts";
import { readUserText } from "./user-message.ts";

/** What a call of the SDK begins with. */
export interface CallStart {
  readonly prompt?: unknown;
  readonly messages?: unknown;
  readonly agentName?: string | undefined;
  readonly maxRetries?: number | undefined;
  readonly streamRetries?: number | undefined;
  /** Whether the program has an `onError`, which may ask for a retry. */
  readonly hasOnError?: boolean | undefined;
  /** Only a model or a tool is wrapped, not the run: no event of the run is fired. */
  readonly isBare?: boolean | undefined;
  readonly tools?: Tools | undefined;
  /** Called when the run ends unless a person or a client acts, with the id of the call that it waits for. */
  readonly onPause?: ((toolCallId: string, run: SdkRun) => void) | undefined;
}

/** One call of `generate`, `stream`, `generateText` or `streamText` with its hooks. */
export class SdkRun extends LoopRun {
  /** The calls that a person decided about before this run. */
  readonly answered: ReadonlyMap<string, AnsweredCall>;
  /** What hooks changed before a step. */
  readonly changed = new ChangedMessages();
  /** The calls of an answer that was cut off: the SDK does not execute them. */
  #cutOff: Set<string> | undefined;
  /** Calls of the provider whose results are in a later answer. */
  #deferred: Set<string> | undefined;
  readonly #text: string;
  readonly options: AdapterOptions;
  readonly #start: CallStart;
  readonly #streamRetries: StreamRetries;
  /** What the run ended with: the model is not called again, although the SDK may try. */
  #failure: Error | undefined;
  #beginning: Promise<string> | undefined;

  constructor(hooks: Hooks, options: AdapterOptions, check: SupportCheck, start: CallStart) {
    const { prompt, messages, agentName, isBare } = start;
    const text = readUserText(prompt, messages);
    const parent = findParent();
    const subagentName = options.agent?.name ?? agentName ?? "subagent";
    const delegation =
      parent === undefined || isBare === true
        ? undefined
        : { subagentName, subagentId: randomUUID(), taskDescription: text };
    super(hooks, { support, options, check, agentName, parent, delegation });
    this.options = options;
    this.#start = start;
    this.#streamRetries = new StreamRetries(start.streamRetries, start.hasOnError === true);
    this.#text = text;
    const list = Array.isArray(prompt) ? prompt : messages;
    this.answered = findAnsweredCalls(list as readonly PromptMessage[] | undefined);
  }

  get isBare(): boolean {
    return this.#start.isBare === true;
  }

  /** Whether a hook changed the user's message. */
  isChanged(text: string): boolean {
    return text !== this.#text;
  }

  /** Returns the user's message as the model reads it. */
  begin(): Promise<string> {
    this.#beginning ??= this.#begin();
    return this.#beginning;
  }

  async #begin(): Promise<string> {
    if (this.isBare) {
      this.hasBegun = true;
      return this.#text;
    }
    try {
      const start = await beginTurn(this.run, await this.#delegate());
      if (start.type === "refused") throw start.error;
      await this.#recordRejections();
      this.hasBegun = true;
      return joinContext(start.message, start.context);
    } catch (error) {
      throw await this.fail(error);
    }
  }

  /** Fires `subagent_start` of an agent that runs inside a tool of another one. Returns the task. */
  async #delegate(): Promise<string> {
    const { delegation } = this.run.init;
    if (delegation === undefined) return this.#text;
    const start = await startSubagent(this.run, delegation);
    if (start.type === "refused") throw start.error;
    return start.text;
  }

  /** The SDK does not execute what a person rejected, so that only this tells the hooks and the audit log about it. */
  async #recordRejections(): Promise<void> {
    for (const { call, decision } of this.answered.values()) {
      if (decision.type !== "reject") continue;
      const execute = () => Promise.reject(new Error(decision.reason ?? "a person rejected the call"));
      await callTool(this.run, call, { decision, execute });
    }
  }

  /** Notes that the run ends at a call, unless a person or a client acts. */
  pause(toolCallId: string): void {
    this.#start.onPause?.(toolCallId, this);
  }

  /** `prepareStep` has changed the request already. */
  async prepareCall(params: CallParams): Promise<CallParams> {
    if (this.#failure !== undefined) throw this.#failure;
    return params;
  }

  findModel(name: string): Model {
    return resolveModel(name);
  }

  /** Notes the calls of an answer that the SDK does not execute. */
  noteCalls(toolUses: readonly ToolUse[], isExecuted: boolean): void {
    for (const { id, name } of toolUses) {
      const tool = ownField(this.#start.tools ?? {}, name);
      if (!isExecuted) this.#cutOff = (this.#cutOff ?? new Set()).add(id);
      if (!isExecuted || (tool !== undefined && typeof tool.execute !== "function")) this.pause(id);
    }
  }

  isContinued({ content }: GenerateResult): boolean {
    for (const { type, providerExecuted, toolName, toolCallId } of content) {
      if (type !== "tool-call" || providerExecuted !== true) continue;
      const { type: kind, supportsDeferredResults } =
        ownField(this.#start.tools ?? {}, String(toolName)) ?? {};
      if (kind === "provider" && supportsDeferredResults === true)
        this.#deferred = (this.#deferred ?? new Set()).add(String(toolCallId));
    }
    if (this.#deferred === undefined) return false;
    for (const { type, toolCallId } of content)
      if (type === "tool-result") this.#deferred.delete(String(toolCallId));
    return this.#deferred.size > 0;
  }

  /** Whether the SDK does not execute a call, because the answer that contains it was cut off. */
  isCutOff(toolCallId: string): boolean {
    return this.#cutOff?.has(toolCallId) === true;
  }

  /** The error of a failed model call. The run has ended with it, unless the SDK tries the call again. */
  async failCall(error: unknown): Promise<Error> {
    const isRetried =
      this.run.stopped === undefined &&
      sdk.APICallError.isInstance(error) &&
      error.isRetryable &&
      this.countAttempt(this.#start.maxRetries ?? 2);
    return isRetried ? error : this.fail(error);
  }

  failStream(error: unknown): Promise<Error> {
    return this.fail(error);
  }

  override async failPart(thrown: unknown): Promise<Error> {
    const { run } = this;
    const next = run.stopped === undefined ? this.#streamRetries.count(run.steps.started) : "end";
    if (next === "end") return this.fail(thrown);
    const error = toError(thrown);
    if (next === "ask") leaveToCallback(error, () => this.fail(error));
    return error;
  }

  /** Calls an operation whose error fails the run. */
  async orFail<T>(operation: () => T | PromiseLike<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      throw await this.fail(error);
    }
  }

  override async fail(thrown: unknown): Promise<Error> {
    if (this.isBare) return readFailure(this.run, thrown).error;
    const error = await super.fail(thrown);
    this.#failure ??= error;
    return error;
  }

  override async finishAnswer(text: string, params: CallParams): Promise<string | undefined> {
    return this.isBare ? undefined : super.finishAnswer(text, params);
  }
}
