import { expect, test } from "vitest";
import { jumps } from "./jumps.ts";

const KNOWN = {
  agents: ["deployer", "redeploy now"],
  hooks: ["deploy-window"],
  runs: [
    { run_id: "run_1", agent_name: "deployer", status: "failed", block_reason: null, waiting_for: null },
  ] as const,
};
const found = (text: string) => jumps(text, KNOWN).map(({ kind, name }) => `${kind} ${name}`);

test("names that begin with the text come before names that contain it, and runs come last", () => {
  expect(found("deploy")).toEqual([
    "agent deployer",
    "hook deploy-window",
    "agent redeploy now",
    "run deployer run_1, failed",
  ]);
});

test("a status leads to the runs in it, and runs have the status that lists show", () => {
  const run = { run_id: "run_2", agent_name: "deployer", status: "failed", waiting_for: null } as const;
  const shown = jumps("Blocked", { ...KNOWN, runs: [{ ...run, block_reason: "no" }] });
  expect(shown).toEqual([
    { kind: "filter", name: "Runs: blocked", href: "/runs?status=blocked" },
    { kind: "run", name: "deployer run_2, blocked", href: "/runs/run_2" },
  ]);
  expect(jumps("needs app", KNOWN)[0]).toMatchObject({ href: "/runs?status=needs_approval" });
});

test("without a text all pages are offered first", () => {
  expect(found("").slice(0, 2)).toEqual(["page Overview", "page Runs"]);
});

test("a name with spaces has an address", () => {
  expect(jumps("now", KNOWN)[0]?.href).toBe("/agents/redeploy%20now");
});
