import type { ExitCode } from "../command.ts";
import { type AccessValues, findAccess } from "./access.ts";
import { CoordinatorClient } from "./coordinator-client.ts";
import { isDetached } from "./detach-option.ts";
import { reportStartedRun } from "./report-run.ts";
import { runParameters } from "./run-parameters.ts";
import { startRun } from "./start-run.ts";

interface NamedRunOptions extends AccessValues {
  readonly session: string | undefined;
  readonly detach: boolean;
  readonly wait: boolean;
  readonly json: boolean;
}

/** Starts a run of an agent of a coordinator, and waits for its result unless it is detached. */
export async function runNamedAgent(
  name: string,
  args: readonly string[],
  { session, detach, wait, json, ...access }: NamedRunOptions,
): Promise<ExitCode> {
  const isOnlyStarted = isDetached({ detach, wait });
  const client = new CoordinatorClient(findAccess(access));
  const agent = () => client.agents.read(name);
  const parameters = await runParameters(args, agent);
  const body = { agent_name: name, parameters, ...(session !== undefined && { session_id: session }) };
  const started = await startRun((options) => client.runs.start(body, options), parameters, agent);
  return reportStartedRun(client, started, { detach: isOnlyStarted, json, access });
}
