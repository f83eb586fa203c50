import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Serialized } from "@langchain/core/load/serializable";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";
import type { Dispatch } from "@tenterhook/engine";
import { type HostRun, type OwnFields, toError } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import {
  type AdapterOptions,
  type AgentHooks,
  checkSupport,
  type HookSource,
  readHooks,
  startFrameworkRun,
} from "../core/index.ts";
import { toMessages, toText } from "./messages.ts";
import { readAnswer } from "./model-call.ts";
import { CALLBACK_SUPPORT } from "./support.ts";
import { isPause } from "./tool-call.ts";

/** A model call or a tool call that has begun. */
interface Operation {
  readonly run: HostRun;
  /** Those of its events. */
  readonly fields: object;
  readonly startedAt: number;
}

/**
 * Calls hooks in graphs of LangGraph that have no middleware: `graph.invoke(input, { callbacks: [new HooksCallbackHandler(hooks)] })`. A
 * callback can only refuse, by throwing: a hook that changes or replaces a value refuses the call instead. It follows the config into
 * the agents that tools run. Throws `unsupported_hook` for hooks on events that callbacks lack.
 */
export class HooksCallbackHandler extends BaseCallbackHandler {
  override readonly name = "tenterhook";
  /** LangChain waits for the hooks. */
  override awaitHandlers = true;
  /** Without this, LangChain ignores what a callback throws. */
  override raiseError = true;
  readonly #agentHooks: AgentHooks;
  /** By the id of the outermost run of LangChain. */
  readonly #runs = new Map<string, HostRun>();
  readonly #roots = new Map<string, string>();
  readonly #operations = new Map<string, Operation>();

  constructor(source: HookSource, options: AdapterOptions = {}) {
    super();
    this.#agentHooks = checkSupport(readHooks(source), CALLBACK_SUPPORT, options);
  }

  override handleChainStart(_chain: Serialized, _inputs: unknown, runId: string, parentRunId?: string): void {
    this.#roots.set(runId, this.#findRoot(runId, parentRunId));
  }

  override handleChainEnd(_outputs: unknown, runId: string): void {
    this.#forget(runId);
  }

  override handleChainError(_error: unknown, runId: string): void {
    this.#forget(runId);
  }

  override async handleChatModelStart(
    llm: Serialized,
    [messages = []]: BaseMessage[][],
    runId: string,
    parentRunId?: string,
    extraParams?: Record<string, unknown>,
  ): Promise<void> {
    const run = await this.#begin(runId, parentRunId);
    run.steps.begin();
    const { invocation_params: parameters } = extraParams ?? {};
    const model = isRecord(parameters) && typeof parameters.model === "string" ? parameters.model : undefined;
    const fields = { messages: toMessages(messages), model: model ?? llm.id?.at(-1) ?? "model" };
    this.#operations.set(runId, { run, fields, startedAt: performance.now() });
    throwRefusal(run, await run.fire("before_llm", fields));
  }

  override async handleLLMEnd(output: LLMResult, runId: string): Promise<void> {
    const operation = this.#take(runId);
    if (operation === undefined) return;
    const { run } = operation;
    const { message } = (output.generations[0]?.[0] ?? {}) as { message?: unknown };
    const answer = readAnswer(AIMessage.isInstance(message) ? (message as AIMessage) : new AIMessage(""));
    run.steps.recordAnswer(answer.text, answer.toolUses);
    const ended = { ...answer, toolUses: [...answer.toolUses], status: "completed" as const };
    throwRefusal(run, await fireAfter(operation, "after_llm", ended));
  }

  override async handleLLMError(_error: unknown, runId: string): Promise<void> {
    const operation = this.#take(runId);
    if (operation === undefined) return;
    const status = operation.run.stopped === undefined ? "failed" : "stopped";
    await fireAfter(operation, "after_llm", { text: "", toolUses: [], status });
  }

  override async handleToolStart(
    tool: Serialized,
    input: string,
    runId: string,
    parentRunId?: string,
    _tags?: string[],
    _metadata?: Record<string, unknown>,
    runName?: string,
    toolCallId?: string,
  ): Promise<void> {
    const run = await this.#begin(runId, parentRunId);
    const fields = {
      toolName: runName ?? tool.id?.at(-1) ?? "tool",
      toolInput: readInput(input),
      toolUseId: toolCallId ?? runId,
    };
    const before = await run.fire("before_tool", fields);
    const operation = { run, fields, startedAt: performance.now() };
    if (before.action !== "go_on")
      await fireAfter(operation, "after_tool_failure", { error: readRefusal(before), status: "blocked" });
    throwRefusal(run, before);
    this.#operations.set(runId, operation);
  }

  override async handleToolEnd(output: unknown, runId: string): Promise<void> {
    const operation = this.#take(runId);
    if (operation === undefined) return;
    const toolResult =
      isRecord(output) || output instanceof Object ? (Object(output).content ?? output) : output;
    const after = await fireAfter(operation, "after_tool", { toolResult, status: "completed" });
    throwRefusal(operation.run, after);
  }

  override async handleToolError(error: unknown, runId: string): Promise<void> {
    const operation = this.#take(runId);
    // A tool that pauses the graph has not failed; one that a hook refused has had its event.
    if (operation === undefined || isPause(error)) return;
    await fireAfter(operation, "after_tool_failure", { error: toError(error), status: "failed" });
  }

  /** The run that a model call or a tool call belongs to. A call of a stopped run throws here, where LangChain does not swallow it. */
  async #begin(runId: string, parentRunId: string | undefined): Promise<HostRun> {
    const root = this.#findRoot(runId, parentRunId);
    let run = this.#runs.get(root);
    if (run === undefined) {
      run = startFrameworkRun(this.#agentHooks, {});
      this.#runs.set(root, run);
    }
    const problem = await this.#agentHooks.findRefusal?.();
    if (problem !== undefined) throw new Error(problem);
    run.check();
    return run;
  }

  #findRoot(runId: string, parentRunId: string | undefined): string {
    return parentRunId === undefined ? runId : (this.#roots.get(parentRunId) ?? parentRunId);
  }

  #forget(runId: string): void {
    this.#roots.delete(runId);
    this.#runs.delete(runId);
  }

  #take(runId: string): Operation | undefined {
    const operation = this.#operations.get(runId);
    this.#operations.delete(runId);
    return operation;
  }
}

/** Tools are given to callbacks as text. */
function readInput(input: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(input);
    return isRecord(parsed) ? parsed : { input: parsed };
  } catch {
    return { input };
  }
}

function fireAfter<E extends "after_llm" | "after_tool" | "after_tool_failure">(
  { run, fields, startedAt }: Operation,
  event: E,
  ended: Partial<OwnFields<E>>,
): Promise<Dispatch<E>> {
  const durationMs = performance.now() - startedAt;
  return run.fireAfter(event, { ...fields, ...ended, durationMs } as unknown as OwnFields<E>);
}

/** A callback can only let an operation pass, or throw. */
function throwRefusal(run: HostRun, dispatch: Dispatch<EventName>): void {
  if (dispatch.action !== "go_on") throw readRefusal(dispatch);
  run.checkEffects(dispatch);
}

function readRefusal({ reason, action, error }: Dispatch<EventName>): Error {
  const text =
    action === "skip" ? "a hook gave a result, which a callback cannot use" : toText(reason ?? "no reason");
  return new Error(text, { cause: error });
}
