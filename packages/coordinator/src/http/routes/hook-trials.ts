import {
  agentHookParameters,
  agentHookTrialRequest,
  hookTrial,
  hookTrialRequest,
  nameParameter,
  trialsPage,
  trialsQuery,
} from "@tenterhook/protocol/runs";
import { readAgent } from "../../agents/blueprint-rows.ts";
import { readNamedHook } from "../../agents/named-hooks.ts";
import { pinHooks, pinnedAs } from "../../agents/pin-hooks.ts";
import { MAX_TRIAL_SECONDS } from "../../domain/limits.ts";
import { listTrials } from "../../lists/trial-list.ts";
import { Problem, requireFound } from "../../problem.ts";
import type { TriedHook } from "../../trials/hook-trials.ts";
import type { TrialSubject } from "../../trials/trial-input.ts";
import { type Operation, operation, type Request } from "../operation.ts";
import type { Services } from "../services.ts";

type TrialCaller = Pick<Request<unknown, unknown, unknown>, "outgoing" | "identity">;

/** Calling hooks to see what they answer. */
export function hookTrials({ coordinator, polls }: Services): Operation[] {
  const { database, trials } = coordinator;

  const named = operation(
    "POST /hooks/{name}/trial",
    {
      permission: "run",
      summary: "Call a named hook to see what it answers, and what that would mean for a run",
      params: nameParameter,
      body: hookTrialRequest,
      responses: { 200: hookTrial },
    },
    async ({ params: { name }, body: { hook_type, ...subject }, ...asked }) => {
      const hook = requireFound(await readNamedHook(database, name), "hook named", name);
      const definition = { ...pinnedAs(hook_type, hook.definition), name };
      return { status: 200, body: await tryHook({ hook_type, definition }, subject, asked) };
    },
  );

  const list = operation(
    "GET /hooks/{name}/trials",
    {
      permission: "read",
      summary: "The last trials of a named hook, the newest first",
      params: nameParameter,
      query: trialsQuery,
      responses: { 200: trialsPage },
    },
    async ({ params: { name }, query: { limit } }) => {
      requireFound(await readNamedHook(database, name), "hook named", name);
      return { status: 200, body: { trials: await listTrials(database, name, limit) } };
    },
  );

  const ofAgent = operation(
    "POST /agents/{name}/hooks/{type}/trial",
    {
      permission: "run",
      summary: "Call a hook of an agent to see what it answers, and what that would mean for a run",
      params: agentHookParameters,
      body: agentHookTrialRequest,
      responses: { 200: hookTrial },
    },
    async ({ params: { name, type }, body, ...asked }) => {
      const agent = requireFound(await readAgent(database, name), "agent", name);
      const definition = (await pinHooks(database, agent.blueprint))[type];
      if (definition === undefined) {
        throw new Problem("not_found", `the agent "${name}" has no hook ${type}`, {
          hint: "Save the agent with it first.",
        });
      }
      const tried = { hook_type: type, definition, agentName: name };
      return { status: 200, body: await tryHook(tried, body, asked) };
    },
  );

  /** The trial ends when the client disconnects, when its token is no longer valid, and when the coordinator closes. */
  function tryHook(tried: TriedHook, subject: TrialSubject, { outgoing, identity }: TrialCaller) {
    return polls.wait({ outgoing, identity }, MAX_TRIAL_SECONDS * 1_000, (_ms, signal) =>
      trials.try(tried, subject, identity.name, signal),
    );
  }

  return [named, list, ofAgent];
}
