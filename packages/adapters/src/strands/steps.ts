import { TenterhookError } from "@tenterhook/protocol";
import { afterStep, beforeStep } from "../core/index.ts";
import type { AgentParts, Invocation } from "./invocation.ts";
import { readConversation, writeMessages } from "./messages.ts";

/** Hooks may skip steps; after so many in a row the run fails instead of running forever. */
const MAX_SKIPPED_STEPS = 100;

/** Fires `before_step`, again for a step that hooks skip. */
export async function beginStep(parts: AgentParts, invocation: Invocation): Promise<void> {
  const { run } = invocation;
  // A retry of the same call.
  if (run.steps.isOpen) return;
  for (let skipped = 0; skipped < MAX_SKIPPED_STEPS; skipped++) {
    const messages = run.hasHooks("before_step") ? readConversation(parts.agent.messages) : [];
    const beginning = await beforeStep(run, messages);
    if (beginning.messages !== messages) replaceMessages(parts, beginning.messages);
    if (beginning.type === "go_on") return;
    await afterStep(run, readConversation(parts.agent.messages), "skipped");
  }
  const problem = `hooks skipped ${MAX_SKIPPED_STEPS} steps in a row, which is the limit.`;
  throw new TenterhookError("budget_exhausted", problem, { event: "before_step" });
}

/** Ends the step, if one is open. */
export async function endStep(parts: AgentParts, invocation: Invocation): Promise<void> {
  const { run } = invocation;
  if (!run.steps.isOpen) return;
  const messages = run.hasHooks("after_step") ? readConversation(parts.agent.messages) : [];
  try {
    const changed = await afterStep(run, messages, run.stopped === undefined ? "completed" : "stopped");
    if (changed !== messages) replaceMessages(parts, changed);
  } catch (error) {
    invocation.failUnlessStopped(error);
    invocation.cancelIfStopped();
  }
}

function replaceMessages(parts: AgentParts, messages: Parameters<typeof writeMessages>[1]): void {
  const written = writeMessages(parts.sdk, messages);
  parts.agent.messages.splice(0, parts.agent.messages.length, ...written);
}
