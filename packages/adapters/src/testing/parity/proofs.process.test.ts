import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listMissingEffects } from "@tenterhook/engine/host";
import { describe, expect, test } from "vitest";
import { AGENT_EVENTS, readSupport } from "../../core/index.ts";
import { adapterSupport } from "../../index.ts";
import { AGENT_SUPPORT } from "./agent-driver.ts";
import { KNOWN_DIFFERENCES } from "./known-differences.ts";
import { AGENT_PROOFS, MISSING_EFFECT_PROOFS, OTHER_PROOFS } from "./other-proofs.ts";
import type { DriverSupport } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

const ROOT = join(import.meta.dirname, "../../../../..");

/** The versions of a package that tests run with: that of the repository, and those of the folders in test/adapters. */
function installedVersions(packageName: string): readonly string[] {
  const folders = readdirSync(join(ROOT, "test/adapters"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const manifests = [...folders.map(({ name }) => `test/adapters/${name}`), "packages/adapters"];
  return manifests.flatMap((folder) => {
    const file = join(ROOT, folder, "package.json");
    if (!existsSync(file)) return [];
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    const version = { ...dependencies, ...devDependencies }[packageName];
    return version === undefined ? [] : [version.replace("^", "")];
  });
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What a support table claims: each effect of each event, each event without effects, and the wrappers. */
function listCells(support: DriverSupport): readonly string[] {
  const events = AGENT_EVENTS.flatMap((event) => {
    const { level, effects } = readSupport(support, event);
    if (level === "none") return [];
    const carried = effects.filter((effect) => effect !== "proceed");
    return carried.length === 0 ? [event] : carried.map((effect) => `${event} ${effect}`);
  });
  return [...events, ...Object.keys(support.around)];
}

/** The effects of hooks that it cannot carry at events that it fires. */
function listMissing(support: DriverSupport): readonly string[] {
  return AGENT_EVENTS.flatMap((event) =>
    listMissingEffects(support, event).map((effect) => `${event} ${effect}`),
  );
}

/** The missing effects for which a scenario exists: each framework that lacks one runs it. */
const lacking = new Set(SCENARIOS.flatMap(({ lacks }) => (lacks === undefined ? [] : [lacks.join(" ")])));

/** The events that a scenario compares, or hooks of which it registers: `testScenarios` runs it for each framework that claims them. */
const shown = new Set([
  ...SCENARIOS.flatMap(({ needs }) => needs.map((need) => need.join(" "))),
  ...SCENARIOS.flatMap(({ events = [] }) => events.map((event) => event.split(" ", 1)[0] ?? "")),
]);

const ADAPTERS = adapterSupport().map((support) => ({
  support,
  others: OTHER_PROOFS[support.adapter],
  missing: MISSING_EFFECT_PROOFS[support.adapter] ?? [],
}));
const HOSTS = [...ADAPTERS, { support: AGENT_SUPPORT, others: AGENT_PROOFS, missing: [] }];

describe.each(HOSTS)("the support table of $support.name", ({ support, others, missing }) => {
  test("claims nothing that no test proves with the framework", () => {
    const proven = new Set([...shown, ...others.flatMap(({ cells }) => cells)]);
    expect(listCells(support).filter((cell) => !proven.has(cell))).toEqual([]);
  });

  test("lacks no effect of an event that it fires without a test of what happens then", () => {
    const proven = new Set([...lacking, ...missing.flatMap(({ cells }) => cells)]);
    expect(listMissing(support).filter((cell) => !proven.has(cell))).toEqual([]);
  });

  test("has no proof of what it does not claim or lack", () => {
    const claimed = new Set([...listCells(support), ...listMissing(support)]);
    const cells = [...others, ...missing].flatMap((proof) => proof.cells);
    expect(cells.filter((cell) => !claimed.has(cell))).toEqual([]);
  });

  test.each([...others, ...missing])("is proven by a test that exists: $title", ({ file, title }) => {
    expect(readFileSync(join(ROOT, file), "utf8")).toContain(JSON.stringify(title));
  });
});

test.each(ADAPTERS)(
  "the support table of $support.name states a range whose lowest versions are installed and tested",
  ({ support }) => {
    const { range, versions } = support.peer;
    expect(range).toBe(versions.map((version) => `^${version}`).join(" || "));
    expect(installedVersions(support.peer.package)).toEqual(expect.arrayContaining([...versions]));
  },
);

test("each known difference is one of a host", () => {
  const names = HOSTS.map(({ support }) => support.name);
  expect(KNOWN_DIFFERENCES.filter(({ host }) => !names.includes(host))).toEqual([]);
});
