import {
  asParent,
  callTool,
  hasWrappers,
  type OpenCall,
  openCall,
  type ToolEnd,
  type ToolOutcome,
  writableCopy,
} from "@tenterhook/engine/host";
import { isRecord, setField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { GATE } from "../ai-sdk/gate.ts";
import type { AgentHooks } from "../core/index.ts";
import { hookApproval, validateInput } from "./approval.ts";
import type { HookCall, RequestContext, Tool, ToolContext, ToolHooks, Tools } from "./config.ts";
import type { Delegations } from "./delegation.ts";
import type { MastraRun } from "./mastra-run.ts";
import type { Runs } from "./runs.ts";

/** The tools of an agent, whose calls go through the hooks. */
export function hookTools(
  tools: Tools | undefined,
  requestContext: RequestContext,
  runs: Runs,
  agentHooks: AgentHooks,
): Tools {
  const hooked = Object.entries(tools ?? {}).map(([name, tool]) => {
    if (typeof tool.execute === "function")
      return [name, hookTool(formatToolName(name), tool, requestContext, runs, agentHooks)] as const;
    agentHooks.warn(`The tool "${name}" is not executed by Mastra: hooks are not called about it.`);
    return [name, tool] as const;
  });
  return Object.fromEntries(hooked);
}

/** The name under which Mastra offers a tool: that of the configuration, unless a provider would refuse it. */
export function formatToolName(name: string): string {
  const written = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
  return (/^[a-zA-Z_]/.test(written) ? written : `_${written}`).slice(0, 63);
}

function hookTool(
  name: string,
  tool: Tool,
  requestContext: RequestContext,
  runs: Runs,
  agentHooks: AgentHooks,
): Tool {
  const approval = hookApproval(name, tool, requestContext, runs, agentHooks);
  const execute = async (input: unknown, context: ToolContext): Promise<unknown> => {
    const toolUseId = context.agent?.toolCallId ?? context.toolCallId ?? "";
    const use = { id: toolUseId, name, input: isRecord(input) ? input : {} };
    const isResumed = (context.agent?.resumeData ?? context.resumeData) !== undefined;
    const run = await runs.findStarted(context.requestContext ?? requestContext, use, isResumed);
    const executeOwn = (given: unknown): Promise<unknown> =>
      asParent(run.run, async () =>
        tool.execute?.(given, { ...context, abortSignal: run.run.signal.signal }),
      );
    return run.during(async () => {
      const started = run.started.get(toolUseId);
      if (started === undefined) {
        // The call's own options have replaced our `beforeToolCall`: all hooks are called here.
        const decision = run.guard(toolUseId, context.abortSignal);
        const port = { ...decision, validate: validateInput(tool), execute: executeOwn };
        const call = { toolName: name, toolInput: input, toolUseId };
        return run.readEnd(toolUseId, await callTool(run.run, call, port));
      }
      // Mastra's schema has parsed it, and the tool may write to it.
      const parsed = hasWrappers(run.run.hooks, "around_tool") ? writableCopy(input) : input;
      let outcome = await readOutcome(executeOwn(input));
      const executeAgain = async () => {
        outcome = await readOutcome(executeOwn(writableCopy(parsed)));
        return readValue(outcome);
      };
      // What the tool was resumed with is for one execution.
      const end = await settle(started, outcome, isResumed ? undefined : executeAgain);
      // Of a call that is suspended, Mastra ignores the value, and reads the error.
      return end === undefined ? readValue(outcome) : run.readEnd(toolUseId, end);
    });
  };
  const changes = {
    ...{ execute, requireApproval: approval, needsApprovalFn: approval },
    // A tool of the AI SDK.
    ...("needsApproval" in tool && { needsApproval: approval }),
  };
  // The same class: Mastra asks what kind of tool it is.
  return Object.assign(Object.create(Object.getPrototypeOf(tool) as object), tool, changes) as Tool;
}

function readOutcome(execution: Promise<unknown>): Promise<ToolOutcome> {
  return execution.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

function readValue(outcome: ToolOutcome): unknown {
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

/**
 * The tool hooks of Mastra with ours: they reach every tool, also those of toolsets, workflows and subagents. The program's own come
 * after ours and see the input that will be executed.
 */
export function hookToolHooks(own: ToolHooks | undefined, runs: Runs, delegations: Delegations): ToolHooks {
  return {
    async beforeToolCall(call) {
      if (call.toolName === GATE) return undefined;
      const { toolCallId, requestContext, abortSignal, resumeData } = call.context;
      const { toolName, input: toolInput } = call;
      const use = { id: toolCallId, name: toolName, input: isRecord(toolInput) ? toolInput : {} };
      const run = await runs.findStarted(requestContext, use, resumeData !== undefined);
      const decision = run.guard(toolCallId, abortSignal);
      const started = openCall(run.run, { toolName, toolInput, toolUseId: toolCallId }, decision);
      return run.during(async () => {
        const start = await started.start();
        if (start.type === "ended") return endCall(run, toolCallId, start.end);
        run.started.set(toolCallId, started);
        replaceContent(toolInput, start.input);
        noteSuspension(call, started, run);
        try {
          if (delegations.isDelegation(toolName)) await startDelegation(delegations, run, call);
          const result = await own?.beforeToolCall?.(call);
          if (!isSkip(result)) return result;
          return endCall(run, toolCallId, await settle(started, { value: result.output }));
        } catch (error) {
          return endCall(run, toolCallId, await settle(started, { error }));
        }
      });
    },
    async afterToolCall(call) {
      if (call.toolName === GATE) return own?.afterToolCall?.(call);
      const { toolCallId, requestContext } = call.context;
      const run = await runs.find(requestContext, toolCallId);
      const started = run.started.get(toolCallId);
      run.started.delete(toolCallId);
      if (started === undefined) run.checkCall(toolCallId, call.toolName);
      // The tools of the agent have settled it themselves.
      else if (!started.isSettled) await run.during(() => settleCall(run, started, call));
      return own?.afterToolCall?.(call);
    },
  };
}

function isSkip(result: unknown): result is { readonly proceed: false; readonly output: unknown } {
  return isRecord(result) && result.proceed === false;
}

function endCall(run: MastraRun, toolCallId: string, end: ToolEnd | undefined) {
  run.started.delete(toolCallId);
  if (end === undefined) return undefined;
  return { proceed: false, output: run.readEnd(toolCallId, end) };
}

async function startDelegation(delegations: Delegations, run: MastraRun, call: HookCall): Promise<void> {
  const { toolName, input, context } = call;
  if (!isRecord(input) || typeof input.prompt !== "string") return;
  const start = await delegations.start(run, toolName, context.toolCallId, input.prompt);
  if (start.type === "refused") throw new TenterhookError("tool_blocked", start.reason);
  input.prompt = start.prompt;
}

/** Calls the hooks after a tool that the adapter does not execute. What cannot be changed is withheld. */
async function settleCall(
  run: MastraRun,
  started: OpenCall,
  call: HookCall & { readonly output?: unknown; readonly error?: unknown },
): Promise<void> {
  const { output, error, context } = call;
  const end = await settle(started, error === undefined ? { value: output } : { error });
  if (end === undefined) return;
  const value = run.readEnd(context.toolCallId, end);
  if (value === output || error !== undefined) return;
  if (!isRecord(output) || !isRecord(value))
    throw new Error("The result was withheld: a hook changed it, and Mastra cannot carry the change.");
  replaceContent(output, value);
}

/** The same object with another content: Mastra hands the object on. */
function replaceContent(target: unknown, source: unknown): void {
  if (target === source || !isRecord(target) || !isRecord(source)) return;
  for (const key of Object.keys(target)) if (!Object.hasOwn(source, key)) delete target[key];
  for (const [key, value] of Object.entries(source)) setField(target, key, value);
}

class Suspension extends Error {}

/** Calls the hooks after a tool; `undefined` if the tool has suspended the call. */
async function settle(
  started: OpenCall,
  outcome: ToolOutcome,
  again?: (input: unknown) => unknown,
): Promise<ToolEnd | undefined> {
  try {
    return await started.settle(outcome, again);
  } catch (error) {
    if (error instanceof Suspension) return undefined;
    throw error;
  }
}

/** A tool that suspends itself has not ended: it is executed again when it is resumed. */
function noteSuspension({ context }: HookCall, started: OpenCall, run: MastraRun): void {
  const { suspend } = context;
  if (suspend === undefined) return;
  context.suspend = (...args) => {
    started.pause(new Suspension());
    run.suspended.add(context.toolCallId);
    return suspend(...args);
  };
}
