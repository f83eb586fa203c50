import { randomUUID } from "node:crypto";
import {
  beforeStep,
  beginTurn,
  type Delegation,
  type HostRun,
  isSameInput,
  joinContext,
  type OpenCall,
  renameEvaluation,
  resumeTurn,
  type ToolPort,
  toError,
} from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import { type Message, TenterhookError, type ToolUse } from "@tenterhook/protocol";
import { LoopRun } from "../ai-sdk/loop-run.ts";
import type { CallParams, GenerateResult, Model, PromptMessage } from "../ai-sdk/sdk-types.ts";
import { type AgentHooks, readUserText, replaceUserText } from "../core/index.ts";
import { nameModel } from "./resolve-model.ts";

/** The delegation that a subagent's run belongs to. */
export interface Link {
  readonly run: HostRun;
  readonly delegation: Delegation;
  /** Whether the subagent has the same hooks, so that it fires `subagent_stop` itself. */
  hasSameHooks: boolean;
}

/** What a run is created with. */
export interface RunStart {
  readonly agentHooks: AgentHooks;
  readonly agentName: string | undefined;
  /** How often Mastra tries a failed model call again. */
  readonly maxRetries: number;
  /** The names of the tools in the agent's configuration, whose calls always reach hooks. */
  readonly ownTools: ReadonlySet<string>;
  /** The delegation that this run belongs to. */
  readonly link: Link | undefined;
  readonly onCall: (toolUseId: string, run: MastraRun) => void;
}

/** A model of a list, of which Mastra calls the next one when it fails. */
interface ModelEntry {
  /** Default: that of the agent. */
  readonly maxRetries: number | undefined;
  readonly hasFallback: boolean;
}

/** One call of `generate` or `stream` with its hooks, continued after a pause. */
export class MastraRun extends LoopRun {
  /** The tool calls of the model, by their ids. */
  readonly calls = new Map<string, ToolUse>();
  /** The calls that hooks were asked about, before Mastra knows whether a person is. */
  readonly asked = new Set<string>();
  /** The calls that wait for a person. */
  readonly waiting = new Set<string>();
  /** The calls whose tools have suspended them. */
  readonly suspended = new Set<string>();
  /** The calls whose hooks were called. */
  readonly guarded = new Set<string>();
  /** Of these, the ones that `beforeToolCall` has begun, and that have not ended. */
  readonly started = new Map<string, OpenCall>();
  /**
   * Calls whose approval Mastra asked about by their name and input, each under an id that was made up for it. They are calls of a run that
   * was paused in another process. Their own ids are known when they are executed, or when the model reads that they were declined.
   */
  readonly #unidentified: ToolUse[] = [];
  /** Whether a model belongs to it; else it was begun by a processor or by a resumed tool. */
  isClaimed = false;
  readonly #start: RunStart;
  #beginning: Promise<string> | undefined;
  /** What the model reads instead of the user's message, where no processor has changed it. */
  #replaced: { readonly text: string; readonly length: number } | undefined;
  #refusalReason: string | undefined;
  /** Whether the current model call follows one that failed in the same step. */
  #isTriedAgain = false;
  #model: ModelEntry = { maxRetries: undefined, hasFallback: false };
  /** What a hook ended the run with: no more calls are made, although Mastra may try again. */
  #refusal: Error | undefined;

  constructor(start: RunStart) {
    const { agentHooks, agentName, link } = start;
    const nesting = link === undefined ? {} : { parent: link.run, delegation: link.delegation };
    super(agentHooks, { agentName, ...nesting });
    this.#start = start;
  }

  begin({ prompt }: CallParams): Promise<unknown> {
    this.#beginning ??= this.orFail(() => this.#begin(readUserText(prompt), prompt.length));
    return this.#beginning;
  }

  /** Begins the run before its first request, where a processor can change the message. Returns what the model is to read. */
  beginWith(message: string): Promise<string> {
    this.#beginning ??= this.orFail(() => this.#begin(message, undefined));
    return this.#beginning;
  }

  /** Why the run was not begun, for people: without the hook's name where there is a reason. */
  readRefusal(error: Error): string {
    return this.run.stopped?.reason ?? this.#refusalReason ?? error.message;
  }

  /** Continues a run of which this process knows nothing: its `before_agent` was fired elsewhere. */
  async resume(): Promise<void> {
    this.#beginning ??= resumeTurn(this.run, "").then(() => "");
    // Every call of a run that was refused is.
    await this.#beginning;
  }

  /** Notes a call that Mastra asks about without its id. Returns an id for it. */
  noteUnidentified(toolName: string, input: unknown): string {
    const id = `unidentified-${randomUUID()}`;
    this.#unidentified.push({ id, name: toolName, input: readInput(input) });
    return id;
  }

  /** Whether a call is one that was noted without its id: from here on it has this one, and a person's approval if it was executed. */
  identify({ id, name, input }: ToolUse, isApproved: boolean): boolean {
    const index = this.#unidentified.findIndex((use) => isCall(use, name, input));
    const [known] = index < 0 ? [] : this.#unidentified.splice(index, 1);
    if (known === undefined) return false;
    this.noteCalls([{ id, name, input }]);
    if (this.waiting.delete(known.id) && isApproved) this.waiting.add(id);
    renameEvaluation(this.run, known.id, id);
    return true;
  }

  async #begin(message: string, length: number | undefined): Promise<string> {
    const beginning = await beginTurn(this.run, message);
    if (beginning.type === "refused") {
      this.#refusalReason = beginning.reason;
      throw beginning.error;
    }
    const text = joinContext(beginning.message, beginning.context);
    if (length !== undefined && text !== message) this.#replaced = { text, length };
    this.hasBegun = true;
    return text;
  }

  async prepareCall(params: CallParams): Promise<CallParams> {
    if (this.#refusal !== undefined) throw this.#refusal;
    const { run } = this;
    await this.#recordRejections(params.prompt);
    run.check();
    this.#checkResults(params);
    const { text, length = 0 } = this.#replaced ?? {};
    const { prompt: own } = params;
    const prompt =
      text === undefined ? own : [...replaceUserText(own.slice(0, length), text), ...own.slice(length)];
    // Mastra tries a failed call again, in the same step, and then with the next model of a list.
    if (this.#isTriedAgain) return { ...params, prompt };
    const before = await beforeStep(run, prompt as readonly Message[]);
    return { ...params, prompt: before.messages as readonly PromptMessage[] };
  }

  findModel(name: string): Model {
    return nameModel(name);
  }

  noteCalls(toolUses: readonly ToolUse[]): void {
    for (const use of toolUses) {
      this.calls.set(use.id, use);
      this.asked.delete(use.id);
      this.#start.onCall(use.id, this);
    }
  }

  /** Notes that the hooks of a call are called. Returns the approval of a person who was asked about it. */
  guard(toolUseId: string, signal: AbortSignal | undefined): Pick<ToolPort, "decision"> {
    this.guarded.add(toolUseId);
    this.suspended.delete(toolUseId);
    this.run.follow(signal);
    return this.waiting.delete(toolUseId) ? { decision: { type: "approve" } } : {};
  }

  async #recordRejections(prompt: readonly PromptMessage[]): Promise<void> {
    for (const use of this.#unidentified.length === 0 ? [] : listCalls(prompt))
      if (readResult(prompt, use.id) !== undefined && this.identify(use, true)) this.waiting.add(use.id);
    for (const id of this.waiting) {
      const call = this.calls.get(id);
      const reason = call === undefined ? undefined : readResult(prompt, id);
      if (call === undefined || reason === undefined) continue;
      this.waiting.delete(id);
      this.guarded.add(id);
      await this.recordRejection({ toolName: call.name, toolInput: call.input, toolUseId: id }, reason);
    }
  }

  /**
   * Ends the run when a tool was executed without its hooks: it is not a tool of the configuration, and the call of the agent has a
   * `beforeToolCall` of its own, which replaces that of the agent. Throws then, so that the model does not read the result.
   */
  checkCall(toolUseId: string, toolName: string): void {
    if (this.guarded.has(toolUseId) || !GUARDED_EVENTS.some((event) => this.run.hasHooks(event))) return;
    const problem = `the tool "${toolName}" was executed without hooks: the call of the agent has its own tool hooks, which replace those of the agent.`;
    const hint = "Give the tool hooks to the agent, or the tool to its configuration.";
    throw this.run.stop(new TenterhookError("unsupported_hook", problem, { event: "before_tool", hint }));
  }

  /**
   * Ends the run when the conversation has a result of a tool that was executed without hooks: a call of the agent that replaces both tool
   * hooks calls none of ours about tools that are not in the configuration.
   */
  #checkResults({ prompt, tools = [] }: CallParams): void {
    for (const [id, { name }] of this.calls) {
      if (this.guarded.has(id) || this.#start.ownTools.has(name)) continue;
      // An unknown tool was not executed.
      if (tools.some((tool) => tool.name === name) && readResult(prompt, id) !== undefined)
        this.checkCall(id, name);
    }
  }

  /** Mastra may put the result of a call that the provider executes into the next step. */
  isContinued({ content }: GenerateResult): boolean {
    const isAnswered = (id: unknown) =>
      content.some(({ type, toolCallId }) => type === "tool-result" && toolCallId === id);
    return content.some(
      ({ type, providerExecuted, toolCallId }) =>
        type === "tool-call" && providerExecuted === true && !isAnswered(toolCallId),
    );
  }

  /** Notes which entry of a list of models is called. */
  useModel(entry: ModelEntry): void {
    this.#model = entry;
  }

  override answeredCall(): void {
    super.answeredCall();
    this.#isTriedAgain = false;
  }

  async failCall(error: unknown): Promise<Error> {
    const maxRetries = this.#model.maxRetries ?? this.#start.maxRetries;
    if (this.#isOwn(error) || !isRetryable(error) || !this.countAttempt(maxRetries))
      return this.failStream(error);
    this.#isTriedAgain = true;
    return error as Error;
  }

  /** The run has ended with the error, unless there is a next model. */
  override async failStream(error: unknown): Promise<Error> {
    if (this.#isOwn(error) || !this.#model.hasFallback) return this.fail(error);
    super.answeredCall();
    this.#isTriedAgain = true;
    return toError(error);
  }

  /** Whether a hook ended the run, or the caller did. */
  #isOwn(error: unknown): boolean {
    return this.run.stopped !== undefined || TenterhookError.isInstance(error);
  }

  override async fail(thrown: unknown): Promise<Error> {
    const error = await super.fail(thrown);
    if (this.run.stopped !== undefined || TenterhookError.isInstance(error)) this.#refusal ??= error;
    return error;
  }
}

/** Whether a call has this name and input: Mastra gives the policy of a tool no id. */
export function isCall(use: ToolUse | undefined, toolName: string, input: unknown): boolean {
  return use?.name === toolName && isSameInput(use.input, readInput(input));
}

function readInput(input: unknown): Record<string, unknown> {
  return isRecord(input) ? input : {};
}

/** The tool calls of a conversation. */
function listCalls(prompt: readonly PromptMessage[]): readonly ToolUse[] {
  return prompt
    .flatMap(({ role, content }) => (role === "assistant" && typeof content !== "string" ? content : []))
    .filter(({ type }) => type === "tool-call")
    .map(({ toolCallId, toolName, input }) => ({
      id: String(toolCallId),
      name: String(toolName),
      input: readInput(input),
    }));
}

const GUARDED_EVENTS = ["before_tool", "after_tool", "after_tool_failure"] as const;

/** The text that the model reads as the result of a call; `undefined` if the prompt has no result of it. */
function readResult(prompt: readonly PromptMessage[], toolCallId: string): string | undefined {
  for (const { role, content } of prompt) {
    if (role !== "tool" || typeof content === "string") continue;
    const part = content.find((each) => each.toolCallId === toolCallId);
    if (part === undefined) continue;
    const { output } = part;
    const { value, reason } = isRecord(output) ? output : { value: output, reason: undefined };
    const text = reason ?? value;
    return typeof text === "string" ? text : JSON.stringify(text ?? "a person rejected the call");
  }
  return undefined;
}

/** As Mastra decides it. */
function isRetryable(error: unknown): boolean {
  const isRetried = (error as { readonly isRetryable?: unknown } | null | undefined)?.isRetryable;
  return typeof isRetried === "boolean" ? isRetried : true;
}
