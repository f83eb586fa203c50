import { loadClients } from "@tenterhook/bridges";
import { expect, test } from "vitest";
import { agentMarker } from "./agent-marker.ts";

test("every mark of every client is known, and no setting that people keep in their profile counts as one", async () => {
  for (const { environment } of await loadClients()) {
    for (const name of environment.markers) expect(agentMarker({ [name]: "1" })).toBe(`${name} is set`);
    for (const name of environment.settings)
      expect([name, agentMarker({ [name]: "1" })]).toEqual([name, undefined]);
  }
});
