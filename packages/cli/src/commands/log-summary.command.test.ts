import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { InsightReport } from "../insights/insight-report.ts";
import { BIN, CommandSandbox, ended } from "../testing/command-sandbox.ts";

const PLAIN = { NO_COLOR: "1" };
const DAY_MS = 86_400_000;

interface Entry {
  readonly hook: string;
  readonly verdict: string;
  readonly [field: string]: unknown;
}

/** A line of the decision log, as a bridge writes it. */
function line(entries: readonly Entry[], more: object = {}): string {
  const record = {
    ...{ time: new Date(Date.now() - 60_000).toISOString(), event: "before_tool", client: "claude" },
    ...{ native_event: "PreToolUse", session_id: "s1", tool_name: "Shell", subject: "git push" },
    ...{ outcome: "proceed", action: "go_on", reported: "nothing", duration_ms: 40 },
    ...{ entries, ...more },
  };
  return `${JSON.stringify(record)}\n`;
}

const ago = (days: number) => ({ time: new Date(Date.now() - days * DAY_MS).toISOString() });

function logOf(...lines: readonly string[]): CommandSandbox {
  const sandbox = new CommandSandbox();
  sandbox.write(sandbox.auditFile, lines.join(""));
  return sandbox;
}

async function report(sandbox: CommandSandbox, args: readonly string[] = []): Promise<InsightReport> {
  const { code, stdout, stderr } = await sandbox.run(["log", "--summary", "--json", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** The calls of each hook, as `hook event` with its decisions. */
function decisions({ hooks }: InsightReport): Record<string, unknown> {
  return Object.fromEntries(hooks.map((row) => [`${row.hook} ${row.event}`, row.decisions]));
}

describe("calls of coding agents", () => {
  let calls = 0;
  const call = (sandbox: CommandSandbox, command: string) => {
    const tool = { tool_name: "Bash", tool_input: { command }, tool_use_id: `call ${++calls}` };
    const input = { session_id: "s1", cwd: sandbox.project, hook_event_name: "PreToolUse", ...tool };
    return sandbox.run(["bridge", "--client", "claude", "--event", "PreToolUse"], {
      input: JSON.stringify(input),
    });
  };

  test("are counted with passes, refusals, changes, added text, failures and what was not enforced", async () => {
    const sandbox = new CommandSandbox();
    const hook = (name: string, script: string, fields: readonly string[] = []) =>
      sandbox.hook(name, { scope: "user", fields, script });
    hook("guard", "grep -q forbidden && { echo 'this is forbidden' >&2; exit 2; }; exit 0", ["priority: 10"]);
    hook("tried", "grep -q odd && { echo 'odd' >&2; exit 2; }; exit 0", ["enforce: false", "priority: 20"]);
    hook("hint", `echo '{"additional_context": "be brief"}'`, ["priority: 900"]);
    hook("writer", `echo '{"modified_input": {"command": "ls -l"}}'`, [
      "priority: 800",
      "matcher: { pattern: rewrite }",
    ]);
    hook("broken", "exit 7", ["priority: 700", "matcher: { pattern: break }"]);
    for (const command of ["ls", "forbidden", "odd", "odd forbidden", "rewrite", "break"])
      await call(sandbox, command);
    const read = await report(sandbox);
    expect(decisions(read)).toEqual({
      "guard before_tool": { passed: 4, blocked: 2 },
      // Its second judgement of what the writer changed is a call, as in the tallies of a runner.
      "hint before_tool": { added_context: 6, passed: 1 },
      "tried before_tool": { passed: 4, would_block: 2 },
      "writer before_tool": { changed: 1 },
      "broken before_tool": { failed: 1 },
    });
    expect(read.current.hook_duration.count).toBe(21);
    expect(read.decisions_by_agent).toMatchObject([{ agent: "claude", calls: 21 }]);
    expect(read.decisions_by_tool).toMatchObject([{ tool: "Shell", calls: 21 }]);
    expect(
      read.reasons.map(({ hook: name, outcome, reason, count }) => [name, outcome, reason, count]),
    ).toEqual(
      expect.arrayContaining([
        ["guard", "blocked", "this is forbidden", 2],
        ["tried", "would_block", "odd", 2],
      ]),
    );
    const tried = read.findings.find(({ hook: name }) => name === "tried");
    expect(tried?.text).toMatch(
      /^tried is not enforced: since .* it would have blocked 2 of 6 calls\. To enforce it: tenterhook enforce tried$/,
    );
  });

  test("of hooks in the background are counted once, when they have ended", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("notes", { scope: "user", fields: ["mode: background"], script: "exit 0" });
    sandbox.hook("guard", { scope: "user", script: "exit 0" });
    await call(sandbox, "ls");
    await expect.poll(() => readFileSync(sandbox.auditFile, "utf8")).toContain("notes");
    expect(decisions(await report(sandbox))).toEqual({
      "guard before_tool": { passed: 1 },
      "notes before_tool": { passed: 1 },
    });
  });

  test("that a person tried are not counted", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", script: "exit 0" });
    await sandbox.run(["try", "before_tool", "--tool", "Shell", "--input", '{"command": "ls"}']);
    expect(await report(sandbox)).toMatchObject({ hooks: [], findings: [{ finding: "never_fired" }] });
  });
});

describe("the period", () => {
  test("is the last seven days, or what --since says", async () => {
    const at = (days: number) => line([{ hook: "guard", verdict: "proceed" }], ago(days));
    const sandbox = logOf(at(20), at(8), at(6), at(0.5), at(-1));
    const count = async (...args: string[]) => (await report(sandbox, args)).current.decisions.passed;
    expect(await count()).toBe(2);
    expect(await count("--since", "12d")).toBe(3);
    expect(await count("--since", "4w")).toBe(4);
    expect(await count("--since", "999999999999w")).toBe(4);
    expect(await count("--since", new Date(Date.now() - DAY_MS).toISOString())).toBe(1);
  });

  test("is said to be shorter where the log begins later", async () => {
    const sandbox = logOf(line([{ hook: "guard", verdict: "would_block", enforced: false }], ago(2)));
    const { stdout } = await sandbox.run(["log", "--summary"], { env: PLAIN });
    const time = /recorded since (\S+ \S+)$/m.exec(stdout)?.[1];
    expect(stdout).toContain(`since ${time} it would have blocked 1 of 1 call`);
  });

  test("is named in the sentences where the log is older", async () => {
    const passed = { hook: "guard", verdict: "proceed", enforced: false };
    const blocked = { hook: "guard", verdict: "would_block", enforced: false };
    const sandbox = logOf(
      line([passed], ago(10)),
      ...Array.from({ length: 1_200 }, () => line([passed])),
      ...Array.from({ length: 12 }, () => line([blocked])),
    );
    sandbox.hook("guard", { scope: "user", fields: ["enforce: false"], script: "exit 0" });
    const { findings } = await report(sandbox);
    expect(findings.map(({ text }) => text)).toEqual([
      "guard is not enforced: in the last 7 days it would have blocked 12 of 1,212 calls. To enforce it: tenterhook enforce guard",
    ]);
  });
});

test("sentences name hooks that never fired, always pass, fail and are slow", async () => {
  const sandbox = logOf(
    line([{ hook: "guard", verdict: "proceed", duration_ms: 5 }], ago(8)),
    ...Array.from({ length: 200 }, () =>
      line([
        { hook: "guard", verdict: "proceed", duration_ms: 5 },
        { hook: "unheard", verdict: "unmatched" },
        { hook: "slow", verdict: "block", duration_ms: 3_000, reason: "no" },
      ]),
    ),
    line([{ hook: "broken", verdict: "failed", reason: "it exited with 7", error: "hook_exit" }]),
    line([{ hook: "broken", verdict: "proceed" }]),
  );
  for (const name of ["guard", "unheard"]) sandbox.hook(name, { scope: "user", script: "exit 0" });
  sandbox.hook("observer", { scope: "user", fields: ["mode: background"], script: "exit 0" });
  const { findings } = await report(sandbox);
  expect(findings.map(({ text }) => text).sort()).toEqual([
    "broken failed in 1 of 2 calls, most often: it exited with 7",
    "guard let all 200 calls pass in the last 7 days",
    "observer was never called in the last 7 days",
    expect.stringMatching(/^slow is slow at before_tool: half of its calls take longer than about 3\.8 s,/),
    "unheard was never called in the last 7 days: its matcher matched none of 200 calls",
  ]);
});

test("calls while a hook was enforced are not among those that it would have blocked", async () => {
  const sandbox = logOf(
    line([{ hook: "guard", verdict: "block", reason: "no" }], ago(8)),
    line([{ hook: "guard", verdict: "block", reason: "no" }]),
    line([{ hook: "guard", verdict: "would_block", enforced: false }]),
    line([{ hook: "guard", verdict: "proceed", enforced: false }]),
  );
  const { findings } = await report(sandbox);
  expect(findings[0]?.text).toContain("would have blocked 1 of 2 calls. To enforce it, in its project:");
});

test("--hook shows one hook, with the calls in which it did more than pass", async () => {
  const sandbox = logOf(
    line([{ hook: "other", verdict: "block", reason: "no" }]),
    line([{ hook: "guard", verdict: "proceed" }]),
    line([{ hook: "guard", verdict: "would_block", enforced: false, reason: "odd" }], {
      subject: "git push -f",
    }),
  );
  const read = await report(sandbox, ["--hook", "guard"]);
  expect(decisions(read)).toEqual({ "guard before_tool": { passed: 1, would_block: 1 } });
  expect(read.latest).toEqual([
    {
      ...{ time: expect.any(String), agent: "claude", session: "s1", event: "before_tool", tool: "Shell" },
      ...{ subject: "git push -f", outcome: "would_block", reason: "odd" },
    },
  ]);
  expect(read.findings.map(({ hook }) => hook)).toEqual(["guard"]);
  // Another form of the same letters, as a keyboard may write them.
  expect(decisions(await report(sandbox, ["--hook", "ｇuard"]))).toEqual(decisions(read));
  const { stdout } = await sandbox.run(["log", "--summary", "--hook", "guard"], { env: PLAIN });
  expect(stdout).toContain("Claude Code  would block  Shell git push -f");
});

test("lines that cannot be read are counted and said, and do not stop the others", async () => {
  const sandbox = logOf(
    line([{ hook: "guard", verdict: "proceed" }]),
    '{"time": "2026\n\n',
    "null\n[]\n",
    '{"time":"never","event":"before_tool"}\n',
    line([{ hook: 7, verdict: "proceed" } as never, null as never, { hook: "guard", verdict: "block" }]),
    line("text" as never),
    line([{ hook: "guard", verdict: "proceed" }]).trimEnd(),
  );
  const { stdout, stderr, code } = await sandbox.run(["log", "--summary"], { env: PLAIN });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^tenterhook: 4 lines of .*audit\.jsonl could not be read\n$/);
  expect(stdout).toContain("2 passed, 1 blocked");
  const read = JSON.parse((await sandbox.run(["log", "--summary", "--json"])).stdout);
  expect(read.source).toMatchObject({ type: "decision_log", unreadable_lines: 4 });
});

test("a record without a time does not say since when there are numbers", async () => {
  const sandbox = logOf(
    '{"time":"never","event":"before_tool"}\n',
    line([{ hook: "guard", verdict: "block" }], ago(3)),
  );
  const { recorded_since } = JSON.parse(
    (await sandbox.run(["log", "--summary", "--json"])).stdout,
  ) as InsightReport;
  expect(Date.now() - Date.parse(recorded_since ?? "")).toBeGreaterThan(2 * DAY_MS);
});

test("a hook that is not enforced and fails is not said to have done nothing", async () => {
  const failed = { verdict: "failed", enforced: false, reason: "it exited with 7" };
  const sandbox = logOf(
    line([{ hook: "guard", verdict: "failed", reason: "it exited with 7" }], ago(8)),
    line([{ hook: "guard", verdict: "failed", reason: "it exited with 7" }]),
    ...[1, 2].map(() =>
      line([
        { hook: "guard", ...failed },
        { hook: "broken", ...failed },
      ]),
    ),
    line([{ hook: "guard", verdict: "proceed", enforced: false }]),
    line([{ hook: "once", ...failed }]),
  );
  const { findings } = await report(sandbox);
  const sentences = findings.filter(({ finding }) => finding === "not_enforced").map(({ text }) => text);
  expect(sentences.map((text) => text.split(". To enforce it")[0])).toEqual([
    "guard is not enforced: in the last 7 days it would have done nothing in 3 calls, and it failed in 2 of them",
    "broken is not enforced, and failed in all 2 calls in the last 7 days",
    "once is not enforced, and failed in its only call in the last 7 days",
  ]);
});

test("a hook that was called is not said to be unused because 200 others were called more often", async () => {
  const others = Array.from({ length: 200 }, (_, index) => ({ hook: `other-${index}`, verdict: "proceed" }));
  const sandbox = logOf(line(others), line(others), line([{ hook: "guard", verdict: "block" }]));
  for (const name of ["guard", "unused"]) sandbox.hook(name, { scope: "user", script: "exit 0" });
  const { hooks, findings } = await report(sandbox);
  expect(hooks.some(({ hook }) => hook === "guard")).toBe(false);
  expect(findings.filter(({ finding }) => finding === "never_fired").map(({ hook }) => hook)).toEqual([
    "unused",
  ]);
});

test("rotated files are read, and those from before the period are not", async () => {
  const sandbox = logOf(line([{ hook: "guard", verdict: "proceed" }]));
  const write = (number: number, text: string) => sandbox.write(`${sandbox.auditFile}.${number}`, text);
  write(1, line([{ hook: "guard", verdict: "block" }]));
  write(2, line([{ hook: "guard", verdict: "ask" }]));
  const old = write(3, `${line([{ hook: "guard", verdict: "proceed" }], ago(30))}broken\n`);
  utimesSync(old, new Date(Date.now() - 20 * DAY_MS), new Date(Date.now() - 20 * DAY_MS));
  const read = await report(sandbox);
  expect(decisions(read)).toEqual({ "guard before_tool": { passed: 1, blocked: 1, asked: 1 } });
  expect(Date.parse(read.recorded_since ?? "")).toBeLessThan(Date.now() - 29 * DAY_MS);
});

test("names beyond the limits are counted together, and a line without an end is skipped", async () => {
  const sandbox = logOf(
    ...Array.from({ length: 3_000 }, (_, index) =>
      line([{ hook: `hook ${index}`, verdict: "block", reason: `reason ${index}` }], {
        tool_name: `tool ${index}`,
      }),
    ),
  );
  appendFileSync(sandbox.auditFile, "x".repeat(20_000_000));
  appendFileSync(sandbox.auditFile, `\n${line([{ hook: "last", verdict: "proceed" }])}`);
  const read = JSON.parse((await sandbox.run(["log", "--summary", "--json"])).stdout) as InsightReport;
  expect(read.source).toMatchObject({ unreadable_lines: 1 });
  expect(read.current.decisions).toEqual({ blocked: 3_000, passed: 1 });
  expect(read.hooks).toHaveLength(200);
  expect(read.hooks[0]).toMatchObject({ hook: "(other)", event: "(other)", calls: 2_001 });
  expect(read.decisions_by_tool[0]).toMatchObject({ tool: "(other)" });
});

describe("on a terminal", () => {
  const sandbox = logOf(
    ...Array.from({ length: 20 }, () =>
      line([
        { hook: "a-guard-with-a-rather-long-name-of-its-own", verdict: "proceed", duration_ms: 12 },
        { hook: "tried", verdict: "would_change", duration_ms: 1_500, enforced: false },
        { hook: "guard", verdict: "block", duration_ms: 12, reason: `no ${"word ".repeat(60)}` },
        { hook: "asker", verdict: "ask", duration_ms: 12 },
        { hook: "broken", verdict: "failed", duration_ms: 12, reason: "it exited with 7" },
      ]),
    ),
  );
  const show = async (columns: number) => {
    const command = `stty cols ${columns}; '${process.execPath}' '${BIN}' log --summary`;
    const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      cwd: sandbox.project,
      env: sandbox.env(PLAIN),
    });
    return (await ended(child)).stdout.trimEnd().split("\n");
  };

  test.each([80, 120])("of %i columns no line is wider", async (columns) => {
    const lines = await show(columns);
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((text) => text.length > columns)).toEqual([]);
  });

  test("names are cut off before numbers are", async () => {
    const row = (await show(80)).find((text) => text.startsWith("a-guard"));
    expect(row).toMatch(/^a-guard-with-\S*… +20 .*~24 ms$/);
  });
});

test("without a terminal nothing is cut off or coloured", async () => {
  const reason = `no ${"word ".repeat(50)}`.trim();
  const sandbox = logOf(line([{ hook: "guard", verdict: "block", reason }]));
  const { stdout } = await sandbox.run(["log", "--summary"]);
  expect(stdout).toContain(reason);
  expect(stdout).not.toContain("\u001b");
});

test("text of a log cannot control the terminal", async () => {
  const sandbox = logOf(
    line([{ hook: "gu\u001b[2Jard", verdict: "block", reason: "\u001b[31mred" }], {
      client: "\u001b[1m",
      tool_name: "\u0007",
    }),
  );
  const { stdout } = await sandbox.run(["log", "--summary"]);
  expect(stdout).not.toContain("\u001b");
  expect(stdout).not.toContain("\u0007");
});

describe("errors", () => {
  const fails = async (sandbox: CommandSandbox, args: readonly string[]) => {
    const { code, stderr, stdout } = await sandbox.run(["log", "--summary", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    return stderr;
  };

  test.each([
    [["--since", "yesterday"], '"yesterday" is not a time.'],
    [["--since", "2999-01-01"], "--since 2999-01-01 is not in the past."],
    [["--since", "0d"], "--since 0d is not in the past."],
    [["--blocked"], "--blocked is for single records"],
    [["--client", "claude"], "--client is for single records"],
    [["--hok", "x"], "Did you mean --hook?"],
    [["now"], 'unexpected argument "now".'],
  ])("%j is a usage error", async (args, message) => {
    expect(await fails(logOf(line([])), args)).toContain(message);
  });

  test("a missing log is named, with what writes it", async () => {
    const stderr = await fails(new CommandSandbox(), []);
    expect(stderr).toMatch(/there is no decision log: .*audit\.jsonl does not exist\./);
    expect(stderr).toContain("tenterhook install");
  });

  test("a log that cannot be a log is named", async () => {
    const sandbox = new CommandSandbox();
    mkdirSync(sandbox.auditFile, { recursive: true });
    expect(await fails(sandbox, [])).toMatch(/audit\.jsonl is not a file\./);
  });

  test("an unknown hook is named, with the one that may be meant", async () => {
    const sandbox = logOf(line([{ hook: "no-force-push", verdict: "proceed" }]));
    sandbox.hook("session-notes", { scope: "user", script: "exit 0" });
    expect(await fails(sandbox, ["--hook", "no-forse-push"])).toContain("Did you mean no-force-push?");
    expect(await fails(sandbox, ["--hook", "session-note"])).toContain("Did you mean session-notes?");
    expect(await fails(sandbox, ["--hook", "unlike"])).toContain("tenterhook list");
  });

  test.each([["log", "--summary"], ["insights"]])(
    "%s %s of a coordinator is refused, and says where its numbers are",
    async (...command) => {
      const sandbox = logOf(line([{ hook: "guard", verdict: "proceed" }]));
      const args = [...command, "--url", "http://127.0.0.1:1"];
      const { code, stdout, stderr } = await sandbox.run(args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("unknown option --url");
      expect(stderr).toContain("on its page");
    },
  );
});

test("an empty log, and one without calls in the period, are no errors", async () => {
  const sandbox = logOf();
  expect(await report(sandbox)).toMatchObject({ recorded_since: null, hooks: [] });
  writeFileSync(sandbox.auditFile, line([{ hook: "guard", verdict: "proceed" }], ago(30)));
  const { code, stdout } = await sandbox.run(["log", "--summary"], { env: PLAIN });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("No hook was called.") });
  truncateSync(sandbox.auditFile);
  expect((await sandbox.run(["log", "--summary"])).code).toBe(0);
});
