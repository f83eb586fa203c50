import type { ApprovalDecision } from "@tenterhook/engine";
import {
  beginTurn,
  type Delegation,
  joinContext,
  readFailure,
  startSubagent,
  type ToolCall,
  toError,
} from "@tenterhook/engine/host";
import { isRecord, ownField } from "@tenterhook/internal";
import { TenterhookError, type ToolUse } from "@tenterhook/protocol";
import { APICallError, gateway } from "ai";
import { type AgentHooks, readUserText } from "../core/index.ts";
import { LoopRun } from "./loop-run.ts";
import type { CallParams, GenerateResult, Model, PromptMessage, Settings } from "./sdk-types.ts";

/** What a call of the SDK begins with. */
export interface CallStart
  extends Pick<Settings, "prompt" | "messages" | "maxRetries" | "streamRetries" | "tools"> {
  readonly agentName?: string | undefined;
  /** Whether the program has an `onError`, which may ask for a retry. */
  readonly hasOnError?: boolean | undefined;
  /** Only a model or a tool is wrapped, not the run: no event of the run is fired. */
  readonly isBare?: boolean | undefined;
  /** Called when the run ends unless a person or a client acts, with the id of the call that it waits for. */
  readonly onPause?: ((toolCallId: string, run: SdkRun) => void) | undefined;
}

/** One call of `generate`, `stream`, `generateText` or `streamText` with its hooks. */
export class SdkRun extends LoopRun {
  /** The calls that a person decided about before this run. */
  readonly answered: ReadonlyMap<string, AnsweredCall>;
  /** The calls of an answer that was cut off: the SDK does not execute them. */
  readonly cutOff = new Set<string>();
  /** Calls of the provider whose results are in a later answer. */
  readonly #deferred = new Set<string>();
  /** The user's message. */
  readonly text: string;
  readonly isBare: boolean;
  readonly warn: AgentHooks["warn"];
  readonly #start: CallStart;
  /** Answers of the current step that contained an error. */
  #errors = { step: -1, count: 0 };
  /** What the run ended with: the model is not called again, although the SDK may try. */
  #failure: Error | undefined;
  #beginning: Promise<string> | undefined;

  constructor(agentHooks: AgentHooks, start: CallStart) {
    const { prompt, messages, agentName, isBare = false } = start;
    const list = (Array.isArray(prompt) ? prompt : (messages ?? [])) as readonly PromptMessage[];
    const text = typeof prompt === "string" ? prompt : readUserText(list);
    super(agentHooks, { agentName, task: isBare ? undefined : text });
    this.warn = agentHooks.warn;
    this.isBare = isBare;
    this.#start = start;
    this.text = text;
    this.answered = findAnsweredCalls(list);
  }

  /** Returns the user's message as the model reads it. */
  begin(): Promise<string> {
    this.#beginning ??= this.orFail(() => this.#begin());
    return this.#beginning;
  }

  async #begin(): Promise<string> {
    let { text } = this;
    if (!this.isBare) {
      const { delegation } = this.run.init;
      const task = delegation === undefined ? text : await this.#delegate(delegation);
      const start = await beginTurn(this.run, task);
      if (start.type === "refused") throw start.error;
      for (const { call, decision } of this.answered.values())
        if (decision.type === "reject") await this.recordRejection(call, decision.reason);
      text = joinContext(start.message, start.context);
    }
    this.hasBegun = true;
    return text;
  }

  /** Fires `subagent_start` of an agent that runs inside a tool of another one. Returns the task. */
  async #delegate(delegation: Delegation): Promise<string> {
    const start = await startSubagent(this.run, delegation);
    if (start.type === "refused") throw start.error;
    return start.text;
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
    this.releaseBare();
    for (const { id, name } of toolUses) {
      const tool = ownField(this.#start.tools ?? {}, name);
      if (!isExecuted) this.cutOff.add(id);
      if (!isExecuted || (tool !== undefined && typeof tool.execute !== "function")) this.pause(id);
    }
  }

  isContinued({ content }: GenerateResult): boolean {
    for (const { type, providerExecuted, toolName, toolCallId } of content) {
      if (type !== "tool-call" || providerExecuted !== true) continue;
      const { type: kind, supportsDeferredResults } =
        ownField(this.#start.tools ?? {}, String(toolName)) ?? {};
      if (kind === "provider" && supportsDeferredResults === true) this.#deferred.add(String(toolCallId));
    }
    for (const { type, toolCallId } of content)
      if (type === "tool-result") this.#deferred.delete(String(toolCallId));
    return this.#deferred.size > 0;
  }

  /** The error of a failed model call. The run has ended with it, unless the SDK tries the call again. */
  async failCall(error: unknown): Promise<Error> {
    const isRetried =
      !this.isBare &&
      this.run.stopped === undefined &&
      APICallError.isInstance(error) &&
      error.isRetryable &&
      this.countAttempt(this.#start.maxRetries ?? 2);
    return isRetried ? error : this.fail(error);
  }

  /** Version 7 calls the model again after such an answer, `streamRetries` times in each step; then `onError` of the program may ask for it. */
  override async failPart(thrown: unknown): Promise<Error> {
    const { run } = this;
    const { streamRetries, hasOnError } = this.#start;
    if (run.stopped !== undefined || streamRetries === undefined) return this.fail(thrown);
    const step = run.steps.started;
    const count = this.#errors.step === step ? this.#errors.count + 1 : 1;
    this.#errors = { step, count };
    const error = toError(thrown);
    if (count <= streamRetries) return error;
    if (hasOnError !== true || count > streamRetries + 1) return this.fail(thrown);
    undecided.set(error, () => this.fail(error));
    return error;
  }

  override async fail(thrown: unknown): Promise<Error> {
    if (this.isBare) {
      const { error } = readFailure(this.run, thrown);
      this.releaseBare();
      return error;
    }
    const error = await super.fail(thrown);
    this.#failure ??= error;
    return error;
  }

  /** Ends listening to the caller's signal after the one call of a model or a tool that is wrapped alone: its run has no other end. */
  releaseBare(): void {
    if (this.isBare) this.run.signal.release();
  }

  override async finishAnswer(text: string, params: CallParams): Promise<string | undefined> {
    return this.isBare ? undefined : super.finishAnswer(text, params);
  }
}

/** A call that a person was asked about, and the decision. */
interface AnsweredCall {
  readonly call: ToolCall;
  readonly decision: ApprovalDecision;
}

/**
 * The calls that a resumed conversation has decisions for, by the id of the call. As the SDK does, only the last message is read: it
 * contains the responses.
 */
function findAnsweredCalls(messages: readonly PromptMessage[]): ReadonlyMap<string, AnsweredCall> {
  const answered = new Map<string, AnsweredCall>();
  const last = messages.at(-1);
  if (last?.role !== "tool" || typeof last.content === "string") return answered;
  for (const { type, approvalId, approved, reason } of last.content) {
    if (type !== "tool-approval-response") continue;
    const parts = messages.flatMap(({ role, content }) =>
      role === "assistant" && typeof content !== "string" ? content : [],
    );
    const request = parts.find(
      (part) => part.type === "tool-approval-request" && part.approvalId === approvalId,
    );
    const call = parts.find((part) => part.type === "tool-call" && part.toolCallId === request?.toolCallId);
    if (call === undefined) continue;
    const toolUseId = String(call.toolCallId);
    const toolInput = isRecord(call.input) ? call.input : {};
    const text = typeof reason === "string" ? { reason } : {};
    answered.set(toolUseId, {
      call: { toolName: String(call.toolName), toolUseId, toolInput },
      decision: approved === true ? { type: "approve" } : { type: "reject", ...text },
    });
  }
  return answered;
}

/** The model of a name, by the SDK's default provider, as the SDK finds it. Throws for a name that it does not know. */
export function resolveModel(model: unknown): Model {
  if (typeof model !== "string") return model as Model;
  const { AI_SDK_DEFAULT_PROVIDER: provider = gateway } = globalThis as {
    AI_SDK_DEFAULT_PROVIDER?: { languageModel(id: string): unknown };
  };
  try {
    return provider.languageModel(model) as Model;
  } catch (cause) {
    throw new TenterhookError("bad_agent", `the default provider of the AI SDK has no model "${model}".`, {
      cause,
    });
  }
}

/** The ends of runs about which `onError` of the program decides, by the error. An agent has one `onError` for all its runs. */
const undecided = new WeakMap<object, () => Promise<unknown>>();

/** `onError` of the program, after which a run has ended unless it asked for a retry. */
export function chainOnError(own: NonNullable<Settings["onError"]>): NonNullable<Settings["onError"]> {
  return async (event) => {
    const error = event.error as object;
    // The SDK wraps the errors of its gateway.
    const { cause } = Object(error) as { readonly cause?: object };
    const end = undecided.get(error) ?? undecided.get(cause as object);
    let isRetried = false;
    try {
      const result = await own(event);
      isRetried = isRecord(result) && result.retry === true;
      return result;
    } finally {
      if (!isRetried) await end?.();
    }
  };
}
