import type { AgentRecord, Run, RunnerRecord } from "@tenterhook/protocol/runs";
import type { AccessValues } from "./access.ts";
import type { CoordinatorClient } from "./coordinator-client.ts";
import { listAll } from "./list-all.ts";

/** The number of runners that are checked. */
const LIMIT = 1_000;

/**
 * A notice that a run waits because no connected runner can execute it, and how to start one. `undefined` when there is one, or
 * when this cannot be determined.
 */
export async function missingRunner(
  client: CoordinatorClient,
  { agent_name, status }: Run,
  access: AccessValues,
): Promise<string | undefined> {
  if (status !== "pending" && status !== "ready") return undefined;
  try {
    const [runners, { blueprint }] = await Promise.all([
      listAll<RunnerRecord>(client, "/runners", "runners", { max: LIMIT }),
      client.get<AgentRecord>(`/agents/${encodeURIComponent(agent_name)}`),
    ]);
    const { tags } = blueprint;
    const connected = runners.filter(({ state }) => state === "online");
    if (connected.some((runner) => tags.every((tag) => runner.tags.includes(tag)))) return undefined;
    const why =
      connected.length === 0
        ? "no runner is connected"
        : `no connected runner has the tag${tags.length === 1 ? "" : "s"} ${tags.join(", ")}`;
    return `${why}, so the run waits. Start one with: ${runnerCommand(tags, access)}`;
  } catch {
    // This is only advice.
    return undefined;
  }
}

function runnerCommand(tags: readonly string[], { url, data }: AccessValues): string {
  const where = url === undefined ? (data === undefined ? [] : ["--data", data]) : ["--url", url];
  return ["tenterhook", "runner", ...where, ...(tags.length === 0 ? [] : ["--tags", tags.join(",")])].join(
    " ",
  );
}
