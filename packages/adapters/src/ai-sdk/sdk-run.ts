import { randomUUID } from "node:crypto";
import type { Hooks } from "@tenterhook/engine";
import { isThenable, ownField } from "@tenterhook/internal";
import { TenterhookError, type ToolUse } from "@tenterhook/protocol";
import * as sdk from "ai";
import {
  type AdapterOptions,
  type Beginning,
  callTool,
  contextText,
  findParent,
  type SupportCheck,
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

/** How a run begins that no hook refused. */
type GoOn = Beginning & { readonly type: "go_on" };

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
  readonly #start: CallStart;
  readonly #streamRetries: StreamRetries;
  /** What the run ended with: the model is not called again, although the SDK may try. */
  #failure: Error | undefined;
  #beginning: GoOn | Promise<GoOn> | undefined;

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
  isChanged({ text }: GoOn): boolean {
    return text !== this.#text;
  }

  begin(): GoOn | Promise<GoOn> {
    this.#beginning ??= this.#beginUnobserved() ?? this.#begin();
    return this.#beginning;
  }

  /** Begins a run whose beginning no hook looks at. Returns `undefined`, and does nothing, if one does. */
  #beginUnobserved(): GoOn | undefined {
    const { run, isBare, answered } = this;
    const text = this.#text;
    if (!isBare) {
      if (run.details.delegation !== undefined || answered.size > 0 || run.stopped !== undefined)
        return undefined;
      if (!this.events.startUnobserved(text)) return undefined;
    }
    this.hasBegun = true;
    return { type: "go_on", message: text, context: [], text };
  }

  async #begin(): Promise<GoOn> {
    try {
      const beginning = await this.events.begin(await this.#delegate());
      if (beginning.type === "refused") throw beginning.error;
      await this.#recordRejections();
      this.hasBegun = true;
      return beginning;
    } catch (error) {
      throw await this.fail(error);
    }
  }

  /** Fires `subagent_start` of an agent that runs inside a tool of another one. Returns the task. */
  async #delegate(): Promise<string> {
    const { delegation } = this.run.details;
    if (delegation === undefined) return this.#text;
    const start = await this.run.fire("subagent_start", delegation);
    const { payload, context, reason = "no reason given", hook, event, error } = start;
    if (start.action === "refuse")
      throw error ?? new TenterhookError("turn_refused", reason, { hook, event });
    const task = payload.taskDescription;
    return context.length === 0 ? task : `${task}\n\n${contextText(context)}`;
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
  prepareCall(params: CallParams): CallParams {
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

  /** Calls an operation whose error fails the run. A promise if it returns one or fails. */
  orFail<T>(operation: () => T | PromiseLike<T>): T | Promise<T> {
    const reject = async (error: unknown): Promise<never> => {
      throw await this.fail(error);
    };
    try {
      const result = operation();
      return isThenable(result) ? Promise.resolve(result).catch(reject) : result;
    } catch (error) {
      return reject(error);
    }
  }

  override async fail(thrown: unknown): Promise<Error> {
    if (this.isBare) return this.events.readFailure(thrown).error;
    const error = await super.fail(thrown);
    this.#failure ??= error;
    return error;
  }

  override finishAnswer(text: string, params: CallParams): Promise<string | undefined> | undefined {
    return this.isBare ? undefined : super.finishAnswer(text, params);
  }
}
