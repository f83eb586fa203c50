import { expect, test } from "vitest";
import { jumps } from "./jumps.ts";

const KNOWN = {
  agents: ["deployer", "redeploy now"],
  hooks: ["deploy-window"],
  runs: [{ run_id: "run_1", agent_name: "deployer", status: "failed" as const }],
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

test("without a text all pages are offered first", () => {
  expect(found("").slice(0, 2)).toEqual(["page Runs", "page Approvals"]);
});

test("a name with spaces has an address", () => {
  expect(jumps("now", KNOWN)[0]?.href).toBe("/agents/redeploy%20now");
});
