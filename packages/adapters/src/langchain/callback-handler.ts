import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Serialized } from "@langchain/core/load/serializable";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";
import type { Dispatch, Hooks } from "@tenterhook/engine";
import { isRecord } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import {
  type AdapterOptions,
  findParent,
  type HookSource,
  type HostRun,
  listSupported,
  readHooks,
  SupportCheck,
  startFrameworkRun,
  toError,
} from "../core/index.ts";
import { readAnswer } from "./answer.ts";
import { CALLBACK_SUPPORT } from "./callback-support.ts";
import { checkVersion } from "./check-version.ts";
import { toMessages, toText } from "./messages.ts";
import { isPause } from "./tool-call.ts";

/** A model call or a tool call that has begun. */
interface Operation {
  readonly run: HostRun;
  readonly fields: Record<string, unknown>;
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
  readonly #hooks: Hooks;
  readonly #options: AdapterOptions;
  readonly #check: SupportCheck;
  /** By the id of the outermost run of LangChain. */
  readonly #runs = new Map<string, HostRun>();
  readonly #roots = new Map<string, string>();
  readonly #operations = new Map<string, Operation>();

  constructor(source: HookSource, options: AdapterOptions = {}) {
    super();
    checkVersion(options);
    this.#hooks = readHooks(source);
    this.#options = options;
    this.#check = new SupportCheck(this.#hooks, CALLBACK_SUPPORT, listSupported(CALLBACK_SUPPORT), options);
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
    const before = await run.fire("before_llm", fields);
    if (before.action !== "go_on") throw refusal(before);
    run.checkEffects(before);
  }

  override async handleLLMEnd(output: LLMResult, runId: string): Promise<void> {
    const operation = this.#take(runId);
    if (operation === undefined) return;
    const { run, fields } = operation;
    const { message } = (output.generations[0]?.[0] ?? {}) as { message?: unknown };
    const answer = readAnswer(AIMessage.isInstance(message) ? (message as AIMessage) : new AIMessage(""));
    run.steps.recordAnswer(answer.text, answer.toolUses);
    const after = await run.fireAfter("after_llm", {
      ...(fields as { messages: never }),
      ...answer,
      toolUses: [...answer.toolUses],
      usage: answer.usage,
      durationMs: performance.now() - operation.startedAt,
      status: "completed",
    });
    if (after.action !== "go_on") throw refusal(after);
    run.checkEffects(after);
  }

  override async handleLLMError(_error: unknown, runId: string): Promise<void> {
    const operation = this.#take(runId);
    if (operation === undefined) return;
    const { run, fields, startedAt } = operation;
    const durationMs = performance.now() - startedAt;
    const status = run.stopped === undefined ? "failed" : "stopped";
    await run.fireAfter("after_llm", {
      ...(fields as { messages: never }),
      text: "",
      toolUses: [],
      durationMs,
      status,
    });
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
    if (before.action !== "go_on") {
      await this.#fireBlocked(run, fields, before);
      throw refusal(before);
    }
    run.checkEffects(before);
    this.#operations.set(runId, { run, fields, startedAt: performance.now() });
  }

  override async handleToolEnd(output: unknown, runId: string): Promise<void> {
    const operation = this.#take(runId);
    if (operation === undefined) return;
    const { run, fields, startedAt } = operation;
    const toolResult =
      isRecord(output) || output instanceof Object ? (Object(output).content ?? output) : output;
    const durationMs = performance.now() - startedAt;
    const after = await run.fireAfter("after_tool", {
      ...(fields as { toolName: never; toolInput: never }),
      toolResult,
      durationMs,
      status: "completed",
    });
    if (after.action !== "go_on") throw refusal(after);
    run.checkEffects(after);
  }

  override async handleToolError(error: unknown, runId: string): Promise<void> {
    const operation = this.#take(runId);
    // A tool that pauses the graph has not failed; one that a hook refused has had its event.
    if (operation === undefined || isPause(error)) return;
    const { run, fields, startedAt } = operation;
    const durationMs = performance.now() - startedAt;
    await run.fireAfter("after_tool_failure", {
      ...(fields as { toolName: never; toolInput: never }),
      error: toError(error),
      durationMs,
      status: "failed",
    });
  }

  async #fireBlocked(run: HostRun, fields: object, before: Dispatch<"before_tool">): Promise<void> {
    await run.fireAfter("after_tool_failure", {
      ...(fields as { toolName: never; toolInput: never }),
      error: refusal(before),
      durationMs: 0,
      status: "blocked",
    });
  }

  /** The run that a model call or a tool call belongs to. A call of a stopped run throws here, where LangChain does not swallow it. */
  async #begin(runId: string, parentRunId: string | undefined): Promise<HostRun> {
    const root = this.#findRoot(runId, parentRunId);
    let run = this.#runs.get(root);
    if (run === undefined) {
      run = startFrameworkRun(this.#hooks, {
        support: CALLBACK_SUPPORT,
        options: this.#options,
        check: this.#check,
        parent: findParent(),
      });
      this.#runs.set(root, run);
    }
    const problem = await this.#check.findRefusal();
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

function refusal({ reason, action, error }: Dispatch<EventName>): Error {
  const text =
    action === "skip" ? "a hook gave a result, which a callback cannot use" : toText(reason ?? "no reason");
  return new Error(text, { cause: error });
}
