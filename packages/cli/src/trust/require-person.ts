import { UsageError } from "../usage-error.ts";
import { agentMarker } from "./agent-marker.ts";

/**
 * Refuses unless a person sits at a terminal: an agent that could trust hooks could write itself any rule. A process of
 * the same user that wants to get around this can; it is a sign, not a wall.
 */
export function requirePerson(): void {
  refuseAgents("what is trusted");
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const stream = process.stdin.isTTY ? "standard output" : "standard input";
    throw new UsageError(
      `REFUSED: ${stream} is not a terminal, and only a person may decide what is trusted.`,
      "Run it yourself, in a terminal, without pipes.",
    );
  }
}

/** The weaker half, for decisions that a script of a person's may take: an agent must not let itself through. */
export function refuseAgents(what: string): void {
  const marker = agentMarker(process.env);
  if (marker === undefined) return;
  throw new UsageError(
    `REFUSED: this runs inside an agent or a hook (${marker}), and only a person may decide ${what}.`,
    "Run it yourself, in a terminal that no agent has started.",
  );
}
