import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AdapterSupport, AGENT_EVENTS, readSupport } from "../../core/index.ts";
import { adapterSupport } from "../../index.ts";
import { OTHER_PROOFS } from "./other-proofs.ts";
import { SCENARIOS } from "./scenarios.ts";

const ROOT = join(import.meta.dirname, "../../../../..");

/** What a support table claims: each effect of each event, each event without effects, and the wrappers. */
function listCells(support: AdapterSupport): readonly string[] {
  const events = AGENT_EVENTS.flatMap((event) => {
    const { level, effects } = readSupport(support, event);
    if (level === "none") return [];
    const carried = effects.filter((effect) => effect !== "proceed");
    return carried.length === 0 ? [event] : carried.map((effect) => `${event} ${effect}`);
  });
  return [...events, ...Object.keys(support.around)];
}

/** The events that a scenario compares, or hooks of which it registers: `testScenarios` runs it for each framework that claims them. */
const shown = new Set([
  ...SCENARIOS.flatMap(({ needs }) => needs.map((need) => need.join(" "))),
  ...SCENARIOS.flatMap(({ events = [] }) => events.map((event) => event.split(" ", 1)[0] ?? "")),
]);

describe.each(adapterSupport())("the support table of $adapter", (support) => {
  const others = OTHER_PROOFS[support.adapter];

  test("claims nothing that no test proves with the framework", () => {
    const proven = new Set([...shown, ...others.flatMap(({ cells }) => cells)]);
    expect(listCells(support).filter((cell) => !proven.has(cell))).toEqual([]);
  });

  test("has no proof of what it does not claim", () => {
    const claimed = new Set(listCells(support));
    expect(others.flatMap(({ cells }) => cells).filter((cell) => !claimed.has(cell))).toEqual([]);
  });

  test.each(others)("is proven by a test that exists: $title", ({ file, title }) => {
    expect(readFileSync(join(ROOT, file), "utf8")).toContain(JSON.stringify(title));
  });
});
