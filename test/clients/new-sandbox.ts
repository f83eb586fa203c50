import { inject } from "vitest";
import { ClientSandbox } from "./client-sandbox.ts";
import type { LiveClient } from "./live-client.ts";

/** A sandbox for a pinned client. Throws why there is none. */
export function newSandbox(client: LiveClient): ClientSandbox {
  const found = inject("pinnedClients")[client.id] ?? { failure: `${client.id} is not pinned` };
  if (!("program" in found)) throw new Error("failure" in found ? found.failure : found.absence);
  return new ClientSandbox(client, found);
}
