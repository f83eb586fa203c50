import { shellQuoted } from "@tenterhook/internal";
import type { RunDetail, RunRequestBody } from "@tenterhook/protocol/runs";

type RunInput = Pick<RunDetail, "agent_name" | "parameters" | "original_parameters" | "execution_mode">;

/**
 * The shell command that starts the same run in a new session. It contains the parameters that the client sent, not those that
 * hooks changed, and a variable instead of the token.
 */
export function curlCommand(run: RunInput, origin: string): string {
  const request: RunRequestBody = {
    agent_name: run.agent_name,
    parameters: run.original_parameters ?? run.parameters,
    // A callback needs a parent session.
    ...(run.execution_mode === "sync" && { execution_mode: "sync" }),
  };
  return [
    `curl --fail-with-body ${shellQuoted(`${origin}/runs`)}`,
    '--header "Authorization: Bearer $TENTERHOOK_TOKEN"',
    `--header ${shellQuoted("Content-Type: application/json")}`,
    `--data-raw ${shellQuoted(JSON.stringify(request))}`,
  ].join(" \\\n  ");
}
