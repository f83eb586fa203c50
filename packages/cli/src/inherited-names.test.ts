import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { RequestError } from "@tenterhook/client";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { readCases } from "./cases/case-file.ts";
import { requestUsageError } from "./fleet/request-usage-error.ts";
import { RunProgress } from "./fleet/run-progress.ts";
import { addDecisions, countIn } from "./insights/decision-columns.ts";
import { Screen } from "./run/screen.ts";

/** What every plain object has. A runner, a server or a file may say any of them. */
const INHERITED = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"];

test.each([...INHERITED, "dance"])("%s is shown as a word, as the action and the event of a hook", (word) => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const streams = { out, err } as unknown as { out: NodeJS.WriteStream; err: NodeJS.WriteStream };
  const progress = new RunProgress(new Screen(streams));
  const common = {
    id: "1-1",
    session_id: "s",
    run_id: "r",
    number: 1,
    timestamp: "2026-01-01T00:00:00.000Z",
  };
  const acted = { ...common, event_type: "hook_acted", event: word, hook: "guard", action: word };
  progress.report(acted as RunEvent);
  expect(String(err.read())).toContain(`guard ${word} ${word}`);
});

test.each(INHERITED)("calls with the outcome %s are added up like others", (outcome) => {
  const decisions = Object.fromEntries([
    [outcome, 3],
    ["passed", 4],
  ]);
  expect(addDecisions([decisions, decisions])).toEqual(
    Object.fromEntries([
      [outcome, 6],
      ["passed", 8],
    ]),
  );
});

test.each(INHERITED)("%s is an outcome that a row without it has never", (outcome) => {
  expect(countIn({ passed: 1 }, { outcomes: [outcome] })).toBe(0);
});

test.each(INHERITED)("%s, as the code of a problem, has no remedy", (code) => {
  const problem = { type: "x", title: "Odd", status: 400, code, detail: "it is odd" };
  const error = new RequestError(code, "it failed", { status: 400, problem } as never);
  expect(requestUsageError(error).hint).toBeUndefined();
});

test.each(INHERITED)("%s is not read as an alias of an outcome of a case", (outcome) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "tests"));
  writeFileSync(
    join(folder, "tests", "a.yaml"),
    `- name: a\n  event: before_tool\n  expect: { outcome: ${outcome} }\n`,
  );
  const text = JSON.stringify(readCases(folder).findings);
  expect(text).toContain(outcome);
  expect(text).not.toContain("native code");
});
