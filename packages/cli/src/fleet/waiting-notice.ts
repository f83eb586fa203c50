import { typedCommand } from "@tenterhook/internal";
import type { Run } from "@tenterhook/protocol/runs";
import type { AccessValues } from "./access.ts";
import type { CoordinatorClient } from "./coordinator-client.ts";
import { waitingText } from "./run-text.ts";

/**
 * A notice of why a run that was just started waits, and how to start a runner if one is missing. `undefined` when it only
 * waits for runs before it, or when this cannot be determined.
 */
export async function waitingNotice(
  client: CoordinatorClient,
  { run_id, status }: Run,
  access: AccessValues,
): Promise<string | undefined> {
  if (status !== "pending" && status !== "ready") return undefined;
  try {
    const { waiting } = await client.runs.read(run_id);
    if (!waiting || waiting.reason === "position") return undefined;
    if (waiting.reason !== "no_runner" && waiting.reason !== "no_runner_with_tags") {
      return `The run waits: ${waitingText(waiting)}.`;
    }
    return `${waiting.detail}, so the run waits. Start one with: ${runnerCommand(waiting.tags, access)}`;
  } catch {
    // This is only advice.
    return undefined;
  }
}

function runnerCommand(tags: readonly string[], { url, data }: AccessValues): string {
  const where = url === undefined ? (data === undefined ? [] : ["--data", data]) : ["--url", url];
  const wanted = tags.length === 0 ? [] : ["--tags", tags.join(",")];
  return [`${typedCommand()} runners start`, ...where, ...wanted].join(" ");
}
