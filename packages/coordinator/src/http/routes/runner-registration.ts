import {
  heartbeatRequest,
  heartbeatResponse,
  registerRequest,
  registerResponse,
} from "@tenterhook/protocol/runs";
import { Problem } from "../../problem.ts";
import { anotherRunner, checkBinding } from "../../runners/runner-identity.ts";
import { recordLeft, registerRunner, renewLeases } from "../../runners/runner-rows.ts";
import { inTime } from "../in-time.ts";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

/** Longer than the pause between two sweeps. */
const LEAST_WAIT_MS = 1_500;

/** Registration and heartbeats of runners. */
export function runnerRegistration({ coordinator, runners }: Services): Operation[] {
  const { database, limits } = coordinator;

  const register = operation(
    "POST /runner/register",
    {
      permission: "execute",
      summary: "Register a runner, or renew its registration",
      body: registerRequest,
      responses: { 200: registerResponse },
    },
    async ({ body: { runner_id, ...runner }, identity }) => {
      checkBinding(identity, runner);
      const token = { id: identity.tokenId, isAdmin: identity.scope === "admin" };
      const registered = await registerRunner(database, { id: runner_id, ...runner }, token);
      if (registered === undefined) throw anotherRunner(runner_id ?? "");
      const { id } = registered;
      runners.forget(id);
      // Three heartbeats within a lease.
      const heartbeat_seconds = limits.leaseSeconds / 3;
      return { status: 200, body: { runner_id: id, lease_seconds: limits.leaseSeconds, heartbeat_seconds } };
    },
  );

  const heartbeat = operation(
    "POST /runner/heartbeat",
    {
      permission: "execute",
      summary: "Renew the leases of a runner's runs",
      body: heartbeatRequest,
      responses: { 200: heartbeatResponse },
    },
    async ({ body: { runner_id, runs, leaving }, identity }) => {
      const { is_draining } = await runners.seen(runner_id, identity);
      const renewed = await renew(
        runner_id,
        runs.map(({ lease_token }) => lease_token),
      );
      if (leaving === true) {
        await recordLeft(database, runner_id);
        runners.forget(runner_id);
      }
      const states = new Map(renewed.map(({ id, state }) => [id, state]));
      const ids = runs.map(({ run_id }) => run_id);
      return {
        status: 200,
        body: {
          lost: ids.filter((id) => !states.has(id)),
          stop: ids.filter((id) => states.get(id) === "stopping"),
          is_draining,
        },
      };
    },
  );

  /** Runners need a response while they still have their leases, also when the table is locked. */
  function renew(runnerId: string, tokens: readonly string[]): ReturnType<typeof renewLeases> {
    if (tokens.length === 0) return Promise.resolve([]);
    const before = database.writes.writesTo("runs");
    const renewed = renewLeases(database, runnerId, tokens, limits.leaseSeconds);
    return inTime(renewed, Math.max(LEAST_WAIT_MS, (limits.leaseSeconds * 1_000) / 8), () => {
      // The sweep writes to it every second, unless nothing can.
      const isForAll = database.writes.writesTo("runs") === before;
      return new Problem(isForAll ? "no_writes" : "unavailable", "the database is slow");
    });
  }

  return [register, heartbeat];
}
