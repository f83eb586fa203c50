import { randomUUID } from "node:crypto";
import type { ApprovalDecision } from "@tenterhook/engine";
import { isRecord } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName, TenterhookError } from "@tenterhook/protocol";
import { asParent, callTool, contextText, decideApproval, type ToolEnd, toError } from "../core/index.ts";
import { readFailure } from "./hooked-tool.ts";
import type { HookedScopes } from "./scope.ts";
import type { FunctionTool, Invoke, RunContext, ToolCallDetails } from "./sdk.ts";
import { readAgentName, runSubagent, SubagentPause } from "./subagent.ts";

/** The events of a tool call. */
const EVENTS: readonly EventName[] = ["before_tool", "after_tool", "after_tool_failure", "on_error"];
/** The events of the call of an agent: all that its run may fire. */
const AGENT_EVENTS = EVENT_NAMES;

/** Which sets of hooks a tool has, so that none is called twice. */
const hookedBy = new WeakMap<object, Set<unknown>>();

/** A tool with hooks: a copy of it. The same tool if it has these hooks already. */
export function hookFunctionTool(hooked: HookedScopes, tool: FunctionTool, agentName: string): FunctionTool {
  if (hookedBy.get(tool)?.has(hooked.hooks) === true) return tool;
  const copy = Object.create(
    Object.getPrototypeOf(tool),
    Object.getOwnPropertyDescriptors(tool),
  ) as FunctionTool;
  return installHooks(hooked, copy, agentName);
}

/** Puts hooks into a tool. */
export function installHooks(hooked: HookedScopes, tool: FunctionTool, agentName: string): FunctionTool {
  const call = new ToolHooks(hooked, { ...tool }, readFailure(tool), agentName);
  const sets = new Set(hookedBy.get(tool)).add(hooked.hooks);
  Object.assign(tool, { invoke: call.invoke, needsApproval: call.needsApproval });
  hookedBy.set(tool, sets);
  return tool;
}

class ToolHooks {
  readonly #hooked: HookedScopes;
  readonly #tool: FunctionTool;
  readonly #failure: ReturnType<typeof readFailure>;
  readonly #agentName: string;

  constructor(
    hooked: HookedScopes,
    tool: FunctionTool,
    failure: ReturnType<typeof readFailure>,
    agentName: string,
  ) {
    this.#hooked = hooked;
    this.#tool = tool;
    this.#failure = failure;
    this.#agentName = agentName;
  }

  /** Asks a person through the SDK if a hook asks, or the tool does. */
  readonly needsApproval = async (context: RunContext, input: unknown, callId = ""): Promise<boolean> => {
    const tool = this.#tool;
    const scope = this.#hooked.findForCall(context, callId, this.#agentName);
    let executed = input;
    if (this.#hooked.options.approve === undefined && this.#hooked.hasHooks(["before_tool"])) {
      const call = { toolName: tool.name, toolInput: input, toolUseId: callId };
      const ask = () => this.#readDecision(context, callId);
      const approval = await decideApproval(scope.run, call, { ask });
      if (approval.type === "needs_approval") {
        scope.isPaused = true;
        return true;
      }
      // No person is asked about a call that hooks refused or answered.
      if (approval.input === undefined) return false;
      executed = approval.input;
    }
    const isNeeded = await tool.needsApproval(context, executed, callId);
    if (isNeeded) scope.isPaused = true;
    return isNeeded;
  };

  readonly invoke: Invoke = async (context, text, details) => {
    const tool = this.#tool;
    const callId = details?.toolCall?.callId ?? randomUUID();
    const scope = this.#hooked.findForCall(context, callId, this.#agentName);
    if (!this.#hooked.hasHooks(isAgent(tool) ? AGENT_EVENTS : EVENTS, "around_tool")) {
      scope.check();
      const invokeTool = () => tool.invoke(context, text, details);
      // Hooks on other events may be called in an agent that the tool runs.
      return this.#hooked.hasHooks(AGENT_EVENTS, "around_llm")
        ? asParent(scope.run, invokeTool)
        : invokeTool();
    }
    const toolInput = parse(text);
    const invoke = this.#failure?.invoke ?? tool.invoke;
    let thrown: Error | undefined;
    let ownResult: unknown;
    const execute = async (input: unknown) => {
      try {
        const written = input === toolInput ? text : JSON.stringify(input);
        if (!isAgent(tool)) return await asParent(scope.run, () => invoke(context, written, details));
        const noteFailure = (result: unknown) => {
          ownResult = result;
        };
        const subagent = { tool, callId, context, details, noteFailure };
        return await runSubagent(this.#hooked, scope, subagent, input, written);
      } catch (error) {
        thrown = toError(error);
        throw thrown;
      }
    };
    const call = { toolName: tool.name, toolInput, toolUseId: callId };
    const readDecision = () => this.#readDecision(context, callId);
    const port = {
      execute,
      isPause,
      // Only read if hooks have not been called yet: the SDK searches long for it.
      get decision() {
        return readDecision();
      },
    };
    try {
      const end = await callTool(scope.run, call, port);
      scope.run.check();
      return await this.#toOutput(end, thrown, ownResult, context, details);
    } catch (error) {
      if (isPause(error)) return error.result;
      throw error;
    }
  };

  /** `thrown` is the last error of the tool, and `ownResult` what the SDK made of an error of its agent. */
  async #toOutput(
    end: ToolEnd,
    thrown: Error | undefined,
    ownResult: unknown,
    context: RunContext,
    details: ToolCallDetails | undefined,
  ) {
    switch (end.type) {
      case "result":
        return addContext(end.value, end.context);
      case "refused":
        return addContext(end.reason, end.context);
      case "stopped":
        throw new TenterhookError("run_stopped", end.reason);
      case "failed": {
        if (thrown === undefined) return addContext(end.shown, end.context);
        const { error } = end;
        const failure = this.#failure;
        const showsFailures = failure !== undefined || readAgentName(this.#tool) !== undefined;
        const errorFunction = showsFailures ? failure?.errorFunction : null;
        // The SDK's own choice for such a tool: the run fails. It also has to see that a call was aborted.
        if (errorFunction === null || details?.signal?.aborted === true) throw error;
        if (errorFunction !== undefined)
          return addContext(await errorFunction(context, error, details), end.context);
        if (error !== thrown) return addContext(end.shown, end.context);
        if (failure !== undefined) return addContext(await failure.describe(context, error), end.context);
        // The agent's hooks refused its run, and their reason is for the model.
        const isRefused = TenterhookError.isInstance(error);
        return addContext(isRefused ? end.shown : (ownResult ?? end.shown), end.context);
      }
    }
  }

  /** The decision of the person whom the SDK asked about this call. */
  #readDecision(context: RunContext, callId: string): ApprovalDecision | undefined {
    const isApproved = context.isToolApproved({ toolName: this.#tool.name, callId });
    if (isApproved === undefined) return undefined;
    return { type: isApproved ? "approve" : "reject" };
  }
}

/** Whether a tool is an agent: it has events of its own. */
function isAgent(tool: FunctionTool): boolean {
  return typeof tool.on === "function";
}

function isPause(error: unknown): error is SubagentPause {
  return error instanceof SubagentPause;
}

/** The input as an object if it is one, else the text: hooks then see an empty object. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Context of hooks becomes a part of the result, which stays in the conversation. */
function addContext(value: unknown, context: readonly string[]): unknown {
  if (context.length === 0) return value;
  const text = contextText(context);
  if (typeof value === "string") return value === "" ? text : `${value}\n\n${text}`;
  if (Array.isArray(value)) return [...(value as unknown[]), { type: "text", text }];
  // Values of the SDK's own types, such as images, are parts of a list.
  if (isRecord(value) && typeof value.type === "string") return [value, { type: "text", text }];
  return `${JSON.stringify(value) ?? ""}\n\n${text}`;
}
