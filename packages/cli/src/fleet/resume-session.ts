import type { ExitCode } from "../command.ts";
import { type AccessValues, findAccess } from "./access.ts";
import { CoordinatorClient } from "./coordinator-client.ts";
import { isDetached } from "./detach-option.ts";
import { reportStartedRun } from "./report-run.ts";
import { runParameters } from "./run-parameters.ts";
import { startRun } from "./start-run.ts";

interface ResumeOptions extends AccessValues {
  readonly detach: boolean;
  readonly wait: boolean;
  readonly json: boolean;
}

/** Starts another run in a session of a coordinator, with the session's agent, and waits for its result unless it is detached. */
export async function resumeSession(
  session: string,
  args: readonly string[],
  { detach, wait, json, ...access }: ResumeOptions,
): Promise<ExitCode> {
  const isOnlyStarted = isDetached({ detach, wait });
  const client = new CoordinatorClient(findAccess(access));
  const agent = async () => client.agents.read((await client.sessions.read(session)).agent_name);
  const parameters = await runParameters(args, agent);
  const resume = (options: object) => client.sessions.resume(session, { parameters }, options);
  const started = await startRun(resume, parameters, agent);
  return reportStartedRun(client, started, { detach: isOnlyStarted, json, access });
}
