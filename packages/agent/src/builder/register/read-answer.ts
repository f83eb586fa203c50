import type { Context, Outcome } from "@tenterhook/engine";
import { block, stop } from "@tenterhook/protocol";
import type { HookContext } from "../contexts/hook-context.ts";
import { StepHookContext } from "../contexts/step-hook-context.ts";
import { ToolHookContext } from "../contexts/tool-hook-context.ts";
import { AgentExecution } from "../data/agent-execution.ts";
import { AgentState } from "../data/agent-state.ts";
import { ToolCall } from "../data/tool-call.ts";
import type { EngineEvent } from "../hook-event.ts";
import { HookOutcome } from "../hook-outcome.ts";
import { outcomeFor } from "./changes.ts";

/** Reads what a hook answered. What the builder has no meaning for is handed on: the engine knows its own outcomes from nonsense. */
export function readAnswer(
  answer: unknown,
  given: HookContext,
  ctx: Context<EngineEvent>,
): Outcome | undefined {
  if (answer instanceof HookOutcome) return readOutcome(answer, given, ctx);
  const changed = changedContext(answer, given);
  return changed === undefined ? (answer as Outcome | undefined) : outcomeFor(changed, given, ctx);
}

function readOutcome(
  outcome: HookOutcome,
  given: HookContext,
  ctx: Context<EngineEvent>,
): Outcome | undefined {
  const engineOutcome = outcome.engineOutcome();
  if (engineOutcome !== undefined) return engineOutcome;
  // An outcome without a reason, which only JavaScript can make, is the engine's to complain of.
  if (outcome.isBlocked()) return block(outcome.reason() as string);
  if (outcome.isStopped()) return stop(outcome.reason() as string);
  const changed = outcome.context();
  return changed === undefined ? undefined : outcomeFor(changed, given, ctx);
}

/** Some hooks may return the changed thing itself. */
function changedContext(answer: unknown, given: HookContext): HookContext | undefined {
  if (given instanceof ToolHookContext) {
    if (answer instanceof ToolCall) return given.withToolCall(answer);
    if (answer instanceof AgentExecution) return given.withExecution(answer);
  }
  return given instanceof StepHookContext && answer instanceof AgentState
    ? given.withState(answer)
    : undefined;
}
