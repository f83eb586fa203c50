import { expect, inject } from "vitest";
import { ClientSandbox, MODES, type Mode } from "./client-sandbox.ts";
import type { LiveClient } from "./live-client.ts";

/** A sandbox for a pinned client. Throws why there is none. */
export function newSandbox(client: LiveClient, mode?: Mode): ClientSandbox {
  const found = inject("pinnedClients")[client.id] ?? { failure: `${client.id} is not pinned` };
  if (!("program" in found)) throw new Error("failure" in found ? found.failure : found.absence);
  return new ClientSandbox(client, found, mode);
}

/** Runs a scenario with cold calls and with a resident process, each in a new sandbox. The decisions must be the same. */
export async function inEveryMode(
  client: LiveClient,
  scenario: (sandbox: ClientSandbox) => Promise<void>,
): Promise<void> {
  const decisions: (readonly string[])[] = [];
  for (const mode of MODES) {
    const sandbox = newSandbox(client, mode);
    try {
      await scenario(sandbox);
      if (mode === "resident") expect(sandbox.residentCalls).toBeGreaterThan(0);
      decisions.push(comparableDecisions(sandbox));
      expect(decisions.at(-1)).toEqual(decisions[0]);
    } catch (error) {
      if (error instanceof Error) error.message = `${mode}: ${error.message}`;
      throw error;
    }
  }
}

/** Different in any two runs. */
const VARYING = ["time", "duration_ms", "session_id"];

function comparableDecisions({ decisions, root }: ClientSandbox): readonly string[] {
  return decisions.map((decision) =>
    JSON.stringify(decision, (key, value) => (VARYING.includes(key) ? undefined : value)).replaceAll(
      root,
      "ROOT",
    ),
  );
}
