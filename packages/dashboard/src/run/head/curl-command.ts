import type { RunDetail, RunRequestBody } from "@tenterhook/protocol/runs";

type Started = Pick<RunDetail, "agent_name" | "parameters" | "original_parameters" | "execution_mode">;

/**
 * The request that starts a run like this one, in a new session, for a shell. It has what the client sent, not what hooks made
 * of it; the token is the reader's own and not written down.
 */
export function curlCommand(run: Started, origin: string): string {
  const request: RunRequestBody = {
    agent_name: run.agent_name,
    parameters: run.original_parameters ?? run.parameters,
    // A callback needs a session that waits for it.
    ...(run.execution_mode === "sync" && { execution_mode: "sync" }),
  };
  return [
    `curl --fail-with-body ${quoted(`${origin}/runs`)}`,
    '--header "Authorization: Bearer $TENTERHOOK_TOKEN"',
    `--header ${quoted("Content-Type: application/json")}`,
    `--data-raw ${quoted(JSON.stringify(request))}`,
  ].join(" \\\n  ");
}

/** In single quotes a shell leaves everything as it is, but for the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
