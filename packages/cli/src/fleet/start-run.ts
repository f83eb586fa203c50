import { randomUUID } from "node:crypto";
import { isRequestError } from "@tenterhook/client";
import type { AgentRecord, Run } from "@tenterhook/protocol/runs";
import type { ExitCode } from "../command.ts";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { type AccessValues, findAccess } from "./access.ts";
import { CoordinatorClient } from "./coordinator-client.ts";
import { reportStartedRun } from "./report-run.ts";
import { reportMisspelt, runParameters } from "./run-parameters.ts";

interface StartOptions extends AccessValues {
  readonly detach: boolean;
  readonly wait: boolean;
  readonly json: boolean;
}

/** Starts a run of an agent of a coordinator, and waits for its result unless it is detached. */
export function runNamedAgent(
  name: string,
  args: readonly string[],
  { session, ...options }: StartOptions & { readonly session: string | undefined },
): Promise<ExitCode> {
  return startRun(args, options, {
    findAgent: (client) => client.agents.read(name),
    start: (client, parameters, once) =>
      client.runs.start(
        { agent_name: name, parameters, ...(session !== undefined && { session_id: session }) },
        once,
      ),
  });
}

/** Starts another run in a session of a coordinator, with the session's agent, and waits for its result unless it is detached. */
export function resumeSession(
  session: string,
  args: readonly string[],
  options: StartOptions,
): Promise<ExitCode> {
  return startRun(args, options, {
    findAgent: async (client) => client.agents.read((await client.sessions.read(session)).agent_name),
    start: (client, parameters, once) => client.sessions.resume(session, { parameters }, once),
  });
}

interface StartedRun {
  readonly findAgent: (client: CoordinatorClient) => Promise<AgentRecord>;
  readonly start: (
    client: CoordinatorClient,
    parameters: Record<string, unknown>,
    once: { readonly idempotencyKey: string },
  ) => Promise<Run>;
}

/** A refusal of the parameters names the one that is misspelt, if one is. */
async function startRun(
  args: readonly string[],
  { detach, wait, json, ...access }: StartOptions,
  { findAgent, start }: StartedRun,
): Promise<ExitCode> {
  const isOnlyStarted = isDetached({ detach, wait });
  const client = new CoordinatorClient(findAccess(access));
  const agent = () => findAgent(client);
  const parameters = await runParameters(args, agent);
  try {
    const started = await start(client, parameters, { idempotencyKey: randomUUID() });
    return await reportStartedRun(client, started, { detach: isOnlyStarted, json, access });
  } catch (error) {
    if (isRequestError(error) && error.code === "bad_parameters") {
      const { name, parameters_schema } = (await agent()).blueprint;
      reportMisspelt(name, parameters_schema ?? {}, parameters);
    }
    throw error;
  }
}

/** Whether to wait for a run that is started. Inside a run it would keep a slot of the runner that the new run may need. */
function isDetached({ detach, wait }: Pick<StartOptions, "detach" | "wait">, env = process.env): boolean {
  if (detach && wait) throw new UsageError("--detach and --wait exclude each other.", "Omit one of them.");
  const run = env.TENTERHOOK_RUN_ID;
  if (!run || detach) return detach;
  notify(
    wait
      ? `It waits inside the run ${run}, whose slot stays taken: the new run needs a free slot of a runner.`
      : `It does not wait for the result inside the run ${run}, because the new run may need its slot. --wait waits.`,
  );
  return !wait;
}
