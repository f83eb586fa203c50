import { randomUUID } from "node:crypto";
import type { Hooks } from "@tenterhook/engine";
import { TenterhookError, type ToolUse } from "@tenterhook/protocol";
import * as sdk from "ai";
import {
  type AdapterOptions,
  type Beginning,
  callTool,
  contextText,
  type SupportCheck,
} from "../core/index.ts";
import { type AnsweredCall, findAnsweredCalls } from "./approval-responses.ts";
import { ChangedMessages } from "./changed-messages.ts";
import { LoopRun } from "./loop-run.ts";
import { findParent } from "./parent-run.ts";
import { resolveModel } from "./resolve-model.ts";
import type { CallParams, GenerateResult, Model, PromptMessage, Tools } from "./sdk-types.ts";
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
  readonly tools?: Tools | undefined;
  /** Called when the run ends unless a person or a client acts, with the id of the call that it waits for. */
  readonly onPause?: ((toolCallId: string, run: SdkRun) => void) | undefined;
}

/** One call of `generate`, `stream`, `generateText` or `streamText` with its hooks. */
export class SdkRun extends LoopRun {
  /** The calls that a person decided about before this run. */
  readonly answered: ReadonlyMap<string, AnsweredCall>;
  /** The calls of an answer that was cut off: the SDK does not execute them. */
  readonly cutOff = new Set<string>();
  /** What hooks changed before a step. */
  readonly changed = new ChangedMessages();
  /** Calls of the provider whose results are in a later answer. */
  readonly #deferred = new Set<string>();
  readonly #text: string;
  readonly #start: CallStart;
  #beginning: Promise<Beginning & { type: "go_on" }> | undefined;

  constructor(hooks: Hooks, options: AdapterOptions, check: SupportCheck, start: CallStart) {
    const { prompt, messages, agentName, isBare } = start;
    const text = readUserText(prompt, messages);
    const parent = isBare === true ? undefined : findParent();
    const subagentName = options.agent?.name ?? agentName ?? "subagent";
    super(hooks, {
      support,
      options,
      check,
      agentName,
      ...(parent !== undefined && {
        parent,
        delegation: { subagentName, subagentId: randomUUID(), taskDescription: text },
      }),
    });
    this.#start = start;
    this.#text = text;
    const list = Array.isArray(prompt) ? prompt : messages;
    this.answered = findAnsweredCalls(list as readonly PromptMessage[] | undefined);
  }

  get isBare(): boolean {
    return this.#start.isBare === true;
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
      const beginning = await this.events.begin(await this.#delegate());
      if (beginning.type === "refused") throw beginning.error;
      await this.#recordRejections();
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
    return params;
  }

  findModel(name: string): Model {
    return resolveModel(name);
  }

  /** Notes the calls of an answer that the SDK does not execute. */
  noteCalls(toolUses: readonly ToolUse[], isExecuted: boolean): void {
    for (const { id, name } of toolUses) {
      const tool = this.#start.tools?.[name];
      if (!isExecuted) this.cutOff.add(id);
      if (!isExecuted || (tool !== undefined && typeof tool.execute !== "function")) this.pause(id);
    }
  }

  isContinued({ content }: GenerateResult): boolean {
    for (const { type, providerExecuted, toolName, toolCallId } of content) {
      if (type !== "tool-call" || providerExecuted !== true) continue;
      const { type: kind, supportsDeferredResults } = this.#start.tools?.[String(toolName)] ?? {};
      if (kind === "provider" && supportsDeferredResults === true) this.#deferred.add(String(toolCallId));
    }
    for (const { type, toolCallId } of content)
      if (type === "tool-result") this.#deferred.delete(String(toolCallId));
    return this.#deferred.size > 0;
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

  /** Calls a function of the program whose error fails the run. */
  async orFail<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      throw await this.fail(error);
    }
  }

  override async fail(thrown: unknown): Promise<Error> {
    return this.isBare ? this.events.readFailure(thrown).error : super.fail(thrown);
  }

  override async finishAnswer(text: string, params: CallParams): Promise<string | undefined> {
    return this.isBare ? undefined : super.finishAnswer(text, params);
  }
}
