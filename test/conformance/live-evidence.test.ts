import { readFileSync } from "node:fs";
import { loadClients } from "@tenterhook/bridges";
import { type CapabilityCoverage, findCapabilities } from "@tenterhook/bridges/coverage";
import { describe, expect, test } from "vitest";
import { LIVE_CLIENTS } from "../clients/live-clients.ts";
import { PINNED, versionOn } from "../clients/pinned-clients.ts";

const CASES = readFileSync(new URL("../clients/clients.test.ts", import.meta.url), "utf8");
const FIRST =
  "does not run what a hook blocks, runs what it rewrites rewritten or not at all, is kept running once, and passes what hooks add to the model";
const SECOND =
  "passes objections to results on, replaces a result or warns of it, runs nothing that a person must decide about, and stops at last";

/** The case that shows it of every real client. */
const SHOWN: Partial<Record<CapabilityCoverage["id"], string>> = {
  refuse_tool: FIRST,
  change_input: FIRST,
  add_context: FIRST,
  keep_running: SECOND,
  ask: SECOND,
  object: SECOND,
  replace_result: SECOND,
  refuse_prompt: "begins nothing when a hook refuses the prompt",
};

describe.each(await loadClients())("$id", (client) => {
  const { live, found } = client.known;
  const capabilities = findCapabilities(client);

  test("what its table calls live has a case with the real client", () => {
    for (const { id, by } of capabilities.filter((each) => each.by === "live")) {
      expect(
        LIVE_CLIENTS.map((each) => each.id),
        `${id} by ${by}`,
      ).toContain(client.id);
      expect(live?.shows, `${client.id} has no live case for ${id}`).toContain(id);
      expect(CASES, id).toContain(`"${SHOWN[id] ?? "no case"}"`);
    }
  });

  test("its live tests were seen with the pinned version of a processor that has it", () => {
    for (const [processor, { version }] of Object.entries(live?.processors ?? {}))
      expect(version).toBe(versionOn(PINNED[client.id as keyof typeof PINNED], processor));
  });

  test("every cell of its table names its evidence, with a version and a day", () => {
    for (const { id, evidence } of capabilities)
      expect(evidence, id).toMatch(/^(live test on|measured|read in) .*\b\d{4}-\d{2}-\d{2}$/);
    for (const { date } of Object.values(found)) expect(Date.parse(date)).toBeLessThan(Date.now());
  });
});
