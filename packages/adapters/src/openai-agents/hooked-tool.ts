import { randomUUID } from "node:crypto";
import type { ApprovalDecision } from "@tenterhook/engine";
import {
  asParent,
  callTool,
  contextText,
  type Delegation,
  decideApproval,
  endRun,
  mayHaveAny,
  readFailure,
  startSubagent,
  type ToolEnd,
  toError,
} from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { copyObject, enterScope, type HookedScopes, isHooked, noteHooked, type Scope } from "./scope.ts";
import type { FunctionTool, Invoke, RunContext, ToolCallDetails } from "./sdk.ts";

/** What becomes the result of a tool that failed; null: the run fails. */
type ErrorFunction = (context: RunContext, error: Error, details?: ToolCallDetails) => unknown;

/** How a tool fails. */
interface VisibleFailure {
  /** Executes the tool, and throws what it throws. */
  readonly invoke: Invoke;
  readonly errorFunction: ErrorFunction | null | undefined;
  /** What the SDK makes of an error, without an `errorFunction`. It throws where the SDK does. */
  describe(context: RunContext, error: Error): Promise<unknown>;
}

const NO_PARAMETERS = {
  name: "failure",
  description: "",
  strict: false,
  parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
};

const FAILURE = Symbol.for("tenterhook.openai-agents.failure");

/**
 * Makes the SDK's `tool` function one whose tools show their failures to hooks: `const tool = hookedTool(sdk.tool)`. A tool that the
 * SDK's own function made catches its errors inside, so `after_tool_failure` and `on_error` do not fire for it. Without hooks its
 * tools behave as before, and with hooks the model reads the same text about a failure, unless a hook changed the failure.
 */
export function hookedTool<Create extends (options: never) => object>(create: Create): Create {
  const make = create as unknown as (options: object) => FunctionTool;
  const createHooked = (options: {
    readonly errorFunction?: ErrorFunction | null;
    readonly outputSchema?: unknown;
  }) => {
    const { invoke } = make({ ...options, errorFunction: null });
    const { errorFunction, outputSchema } = options;
    // The SDK hides messages of errors from the model on purpose. It exports no function for its text, but a tool that fails has it.
    const describe: VisibleFailure["describe"] = (context, error) => {
      const execute = () => Promise.reject(error);
      return make({ ...NO_PARAMETERS, outputSchema, execute }).invoke(context, "{}") as Promise<unknown>;
    };
    const failure: VisibleFailure = { invoke, errorFunction, describe };
    return Object.assign(make(options), { [FAILURE]: failure });
  };
  // The same function for its users: the options are passed on as they are.
  return createHooked as unknown as Create;
}

/** How a tool fails, if `hookedTool` made it. */
export function readVisibleFailure(tool: object): VisibleFailure | undefined {
  return (tool as { readonly [FAILURE]?: VisibleFailure })[FAILURE];
}

/** The name of the agent that a tool is; only tools of agents with hooks have it. */
const AGENT_NAME = Symbol.for("tenterhook.openai-agents.agent");

/** Stores which agent a tool is. */
export function nameAgentTool(tool: FunctionTool, agentName: string): void {
  Object.assign(tool, { [AGENT_NAME]: agentName });
}

/** The name of the agent that a tool is, if that agent has hooks itself. */
export function readAgentName(tool: object): string | undefined {
  return (tool as { readonly [AGENT_NAME]?: string })[AGENT_NAME];
}

/** A tool with hooks: a copy of it. The same tool if it has these hooks already. */
export function hookTool(hooked: HookedScopes, tool: FunctionTool, agentName: string): FunctionTool {
  return isHooked(tool, hooked.hooks) ? tool : installHooks(hooked, copyObject(tool), agentName);
}

/** Puts hooks into a tool of an agent. */
export function installHooks(hooked: HookedScopes, tool: FunctionTool, agentName: string): FunctionTool {
  const { hooks } = hooked;
  const inner = { ...tool };
  const { name: toolName } = inner;
  /** The decision of the person whom the SDK asked about a call. */
  const readDecision = (context: RunContext, callId: string): ApprovalDecision | undefined => {
    const isApproved = context.isToolApproved({ toolName, callId });
    return isApproved === undefined ? undefined : { type: isApproved ? "approve" : "reject" };
  };

  /** Asks a person through the SDK if a hook asks, or the tool does. */
  const needsApproval = async (context: RunContext, toolInput: unknown, callId = ""): Promise<boolean> => {
    const scope = hooked.findForCall(context, callId, agentName);
    let executed = toolInput;
    if (hooked.options.approve === undefined && scope.run.hasHooks("before_tool")) {
      const call = { toolName, toolInput, toolUseId: callId };
      const ask = () => readDecision(context, callId);
      const approval = await decideApproval(scope.run, call, { ask });
      if (approval.type === "needs_approval") {
        scope.isPaused = true;
        return true;
      }
      // No person is asked about a call that hooks refused or answered.
      if (approval.input === undefined) return false;
      executed = approval.input;
    }
    const isNeeded = await inner.needsApproval(context, executed, callId);
    if (isNeeded) scope.isPaused = true;
    return isNeeded;
  };

  const invoke: Invoke = async (context, text, details) => {
    const callId = details?.toolCall?.callId ?? randomUUID();
    const scope = hooked.findForCall(context, callId, agentName);
    const { run } = scope;
    run.check();
    if (!mayHaveAny(hooks)) return inner.invoke(context, text, details);
    const toolInput = parse(text);
    const execution: Execution = {
      tool: inner,
      callId,
      context,
      details,
      thrown: undefined,
      shown: undefined,
    };
    const execute = async (input: unknown) => {
      const written = input === toolInput ? text : JSON.stringify(input);
      try {
        if (isAgent(inner)) return await runSubagent(hooked, scope, execution, input, written);
        const invokeTool = readVisibleFailure(inner)?.invoke ?? inner.invoke;
        return await asParent(run, () => invokeTool(context, written, details));
      } catch (error) {
        execution.thrown = toError(error);
        throw execution.thrown;
      }
    };
    const port = {
      execute,
      isPause,
      // Only read if hooks have not been called yet: the SDK searches long for it.
      get decision() {
        return readDecision(context, callId);
      },
    };
    try {
      const end = await callTool(run, { toolName, toolInput, toolUseId: callId }, port);
      run.check();
      return addContext(await readOutput(end, execution), end.context);
    } catch (error) {
      if (isPause(error)) return error.result;
      throw error;
    }
  };

  noteHooked(tool, hooks);
  return Object.assign(tool, { invoke, needsApproval });
}

/** The call of a tool. */
interface Execution {
  readonly tool: FunctionTool;
  readonly callId: string;
  readonly context: RunContext;
  readonly details: ToolCallDetails | undefined;
  /** The last error of the tool. */
  thrown: Error | undefined;
  /** What the SDK made of the error of an agent. */
  shown: unknown;
}

/** What the model reads. Throws if the failure of the tool is to fail the run. */
async function readOutput(end: ToolEnd, { tool, context, details, thrown, shown }: Execution) {
  if (end.type === "result") return end.value;
  if (end.type !== "failed") return end.reason;
  if (thrown === undefined) return end.shown;
  const { error } = end;
  const failure = readVisibleFailure(tool);
  const showsFailures = failure !== undefined || readAgentName(tool) !== undefined;
  const errorFunction = showsFailures ? failure?.errorFunction : null;
  // The SDK's own choice for such a tool: the run fails. It also has to see that a call was aborted.
  if (errorFunction === null || details?.signal?.aborted === true) throw error;
  if (errorFunction !== undefined) return errorFunction(context, error, details);
  if (error !== thrown) return end.shown;
  if (failure !== undefined) return failure.describe(context, error);
  // The agent's hooks refused its run, and their reason is for the model.
  return TenterhookError.isInstance(error) ? end.shown : (shown ?? end.shown);
}

/** Whether a tool is an agent: it has events of its own. */
function isAgent(tool: FunctionTool): boolean {
  return typeof tool.on === "function";
}

/** Runs an agent that is a tool, in a run of its own: `subagent_start`, the events of that run, `subagent_stop`. */
async function runSubagent(
  hooked: HookedScopes,
  parent: Scope,
  execution: Execution,
  input: unknown,
  text: string,
): Promise<unknown> {
  const { tool, callId, context, details } = execution;
  const agentName = readAgentName(tool);
  const hasTask = isRecord(input) && typeof input.input === "string";
  const task = hasTask ? String(input.input) : text;
  const subagentName = agentName ?? tool.name;
  let delegation: Delegation = { subagentName, subagentId: callId, taskDescription: task };
  let sent = text;
  // A run that continues after an approval has started already.
  if (details?.resumeState === undefined) {
    const start = await startSubagent(parent.run, delegation);
    if (start.type === "refused") throw new TenterhookError("tool_blocked", start.reason);
    ({ delegation } = start);
    if (start.text !== task) {
      if (!hasTask) {
        const problem = `a hook changed the task of the agent tool "${subagentName}", whose input is not a text.`;
        throw new TenterhookError("unsupported_hook", problem, { event: "subagent_start" });
      }
      sent = JSON.stringify({ ...input, input: start.text });
    }
  }
  const child = hooked.createChild(parent, delegation);
  try {
    const result = await enterScope(child, () => tool.invoke(context, sent, details));
    child.run.check();
    if (child.isPaused) throw new SubagentPause(result);
    // The SDK makes a result of an error of the agent's run.
    if (agentName !== undefined && !child.isFinished) {
      execution.shown = result;
      throw child.failure ?? new Error(String(result));
    }
    await endRun(child.run, { status: "completed" });
    return result;
  } catch (error) {
    if (!isPause(error)) await endRun(child.run, readFailure(child.run, error));
    throw error;
  }
}

/** Leaves the call of a tool whose agent waits for a person: the call has not ended. */
class SubagentPause extends Error {
  /** What the SDK expects of the tool meanwhile. */
  readonly result: unknown;

  constructor(result: unknown) {
    super("the agent waits for a person's approval.");
    this.result = result;
  }
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
