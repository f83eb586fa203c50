import { mayHaveHooks } from "@tenterhook/engine/host";
import { TenterhookError } from "@tenterhook/protocol";
import type { AgentParts, Invocation } from "./invocation.ts";
import { readConversation, writeMessages } from "./messages.ts";

/** Hooks may skip steps; after so many in a row the run fails instead of running forever. */
const MAX_SKIPPED_STEPS = 100;

/** Begins a step that no hook looks at, unless Strands retries its model call. */
export function beginQuietStep({ run }: Invocation): void {
  if (!run.steps.isOpen) run.steps.begin();
}

/** Fires `before_step`, again for a step that hooks skip. */
export async function beginStep(parts: AgentParts, invocation: Invocation): Promise<void> {
  if (!mayHaveHooks(parts.hooks, "before_step")) return beginQuietStep(invocation);
  const { run, events } = invocation;
  // A retry of the same call.
  if (run.steps.isOpen) return;
  for (let skipped = 0; skipped < MAX_SKIPPED_STEPS; skipped++) {
    const messages = readConversation(parts.agent.messages);
    const beginning = await events.beforeStep(messages);
    if (beginning.messages !== messages) replaceMessages(parts, beginning.messages);
    if (beginning.type === "go_on") return;
    await events.afterStep(readConversation(parts.agent.messages), "skipped");
  }
  const problem = `hooks skipped ${MAX_SKIPPED_STEPS} steps in a row, which is the limit.`;
  throw new TenterhookError("budget_exhausted", problem, { event: "before_step" });
}

/** Ends the step, if one is open; a promise only if `after_step` may have hooks. */
export function endStep(parts: AgentParts, invocation: Invocation): void | Promise<void> {
  const { steps } = invocation.run;
  if (!steps.isOpen) return;
  if (mayHaveHooks(parts.hooks, "after_step")) return fireAfterStep(parts, invocation);
  steps.completed++;
  steps.close();
}

async function fireAfterStep(parts: AgentParts, invocation: Invocation): Promise<void> {
  const { run, events } = invocation;
  const messages = readConversation(parts.agent.messages);
  try {
    const changed = await events.afterStep(messages, run.stopped === undefined ? "completed" : "stopped");
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
