import { UsageError } from "../usage-error.ts";
import { agentMarker } from "./agent-marker.ts";

/**
 * Refuses unless a user is at a terminal: an agent that could trust hooks could change its own rules. A process of the same
 * user can circumvent this; it is a barrier against accidents, not against attacks.
 */
export async function requirePerson(what = "what is trusted"): Promise<void> {
  await refuseAgents(what);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const stream = process.stdin.isTTY ? "standard output" : "standard input";
    throw new UsageError(
      `REFUSED: ${stream} is not a terminal, and only a person may decide ${what}.`,
      "Run it yourself, in a terminal, without pipes.",
    );
  }
}

/** The weaker check, for decisions that a user's script may take, but not an agent. */
export async function refuseAgents(what: string): Promise<void> {
  const marker = await agentMarker(process.env);
  if (marker === undefined) return;
  throw new UsageError(
    `REFUSED: this runs inside an agent or a hook (${marker}), and only a person may decide ${what}.`,
    "Run it yourself, in a terminal outside of the agent.",
  );
}
