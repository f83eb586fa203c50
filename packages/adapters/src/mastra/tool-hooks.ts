import { isRecord, setField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { GATE } from "../ai-sdk/gate.ts";
import { type OpenCall, openCall, type ToolEnd, type ToolOutcome } from "../core/index.ts";
import type { HookCall, ToolHooks } from "./config.ts";
import type { Delegations } from "./delegation.ts";
import type { MastraRun } from "./mastra-run.ts";
import type { Runs } from "./runs.ts";

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
      run.guarded.add(toolCallId);
      run.suspended.delete(toolCallId);
      run.run.follow(abortSignal);
      const isApproved = run.waiting.delete(toolCallId);
      const started = openCall(
        run.run,
        { toolName, toolInput, toolUseId: toolCallId },
        isApproved ? { decision: { type: "approve" } } : {},
      );
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
export async function settle(
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
