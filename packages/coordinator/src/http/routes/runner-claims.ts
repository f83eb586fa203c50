import { setImmediate } from "node:timers/promises";
import { assignment, type Blueprint } from "@tenterhook/protocol/runs";
import { z } from "zod";
import type { Assignment } from "../../coordinator.ts";
import type { ClaimedRun } from "../../lifecycle/index.ts";
import { isGone } from "../long-polls.ts";
import { type Operation, operation } from "../operation.ts";
import { waitSeconds } from "../parameters.ts";
import type { Services } from "../services.ts";

const query = z.strictObject({
  runner_id: z.string().max(100),
  wait: waitSeconds("something to do"),
  slots: z.coerce
    .number()
    .int()
    .min(0)
    .default(1)
    .describe("how many more runs it can take; runs that execute hooks are given beside them"),
  unstarted: z
    .string()
    .max(10_000)
    .transform((text) => text.split(",").filter(Boolean))
    .optional()
    .describe(
      "after a poll without an answer: the ids of the runs that it has and has not started, separated by commas. " +
        "What else it was given is taken back, and given out again",
    ),
});

/** Runners poll for runs and stop orders. */
export function runnerClaims({ coordinator, runners, leases, polls }: Services): Operation[] {
  const { lifecycle, limits } = coordinator;

  const claim = operation(
    "GET /runner/runs",
    {
      permission: "execute",
      summary: "Claim the next run, or get the order to stop one",
      query,
      responses: { 200: assignment, 204: "nothing" },
    },
    async ({ query: { runner_id, wait, slots, unstarted }, identity, outgoing }) => {
      const { tags, is_draining } = await runners.seen(runner_id, identity);
      if (unstarted !== undefined) await lifecycle.releaseLostAssignments(runner_id, unstarted);
      const claimant = {
        runnerId: runner_id,
        tags,
        hasSlot: slots > 0 && !is_draining,
        leaseSeconds: limits.leaseSeconds,
        hookWaitSeconds: limits.hookWaitSeconds,
      };
      const found = await polls.wait(
        { outgoing, identity },
        wait * 1_000,
        (waitMs, signal) => coordinator.nextAssignment(claimant, waitMs, signal),
        async (given) => given && takeBack(given),
      );
      if (found === undefined) return { status: 204 };
      await socketEventsProcessed();
      if (!isGone(outgoing)) {
        if (found.type === "run") leases.note(found.run.id, found.run.lease_token ?? "", runner_id);
        return { status: 200, body: assignmentView(found) };
      }
      await takeBack(found);
      return { status: 204 };
    },
  );

  /** The runner has disconnected: the next one that polls gets the run at once, not when the lease has expired. */
  async function takeBack(found: Assignment): Promise<void> {
    if (found.type === "stop") return lifecycle.forgetStopOrder(found.runId, found.leaseToken);
    const { id, lease_token } = found.run;
    await lifecycle.release(id, lease_token ?? "", "the runner disconnected before it had the run");
  }

  return [claim];
}

/** Lets Node process socket events once: the client may have disconnected while the run was being claimed. */
async function socketEventsProcessed(): Promise<void> {
  // The first runs before the sockets are polled, the second after it.
  await setImmediate();
  await setImmediate();
}

function assignmentView(found: Assignment): z.input<typeof assignment> {
  return found.type === "stop"
    ? { type: "stop", run_id: found.runId, lease_token: found.leaseToken }
    : // Hooks of a run are the coordinator's to call. A runner needs none of them, and an older one would refuse a run with settings
      // of hooks that it does not know.
      { type: "run", run: assignedRun(found.run, { ...found.blueprint, hooks: {} }) };
}

function assignedRun(
  run: ClaimedRun,
  blueprint: Blueprint,
): Extract<z.input<typeof assignment>, { type: "run" }>["run"] {
  return {
    run_id: run.id,
    session_id: run.session_id,
    parent_session_id: run.parent_session_id,
    agent_name: run.agent_name,
    kind: run.kind,
    attempt: run.attempt,
    lease_token: run.lease_token ?? "",
    parameters: run.parameters,
    blueprint,
    has_tool_hook: run.hooks.on_tool_call !== undefined,
    withhold_text: run.hooks.on_result !== undefined && run.hooks.on_result.enforce !== false,
  };
}
