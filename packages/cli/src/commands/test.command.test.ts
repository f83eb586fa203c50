import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const GUARD = `grep -q 'rm -rf' && { echo 'too dangerous' >&2; exit 2; }; exit 0`;
const CASES = `
- name: lets ls pass
  event: { tool_name: Shell, tool_input: { command: ls } }
  expect: { outcome: allow }
- name: refuses rm -rf
  event: { tool_name: Shell, tool_input: { command: rm -rf / } }
  expect: { outcome: deny, reason: dangerous }
`;

describe("test", () => {
  test("takes the name of a hook here", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["init", "one", "--trigger", "before_tool"]);
    await sandbox.run(["init", "two", "--trigger", "before_tool"]);
    const { code, stdout } = await sandbox.run(["test", "one", "--strict"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^one .*\n2 passed, 0 failed\n$/s),
    });
    expect(stdout).not.toContain("two");
    expect((await sandbox.run(["test", "ones"])).stderr).toContain("Did you mean one?");
  });

  test("runs the cases of a hook, trusted or not, and ends with a summary", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: GUARD, cases: CASES });
    const { code, stdout } = await sandbox.run(["test"]);
    expect(stdout).toMatch(/✓ lets ls pass .*\n.*✓ refuses rm -rf .*\n2 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  test("a file may contain one case", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", {
      script: "exit 0",
      cases: "event: { tool_name: Shell }\nexpect: { outcome: allow }\n",
    });
    expect((await sandbox.run(["test"])).stdout).toContain("1 passed, 0 failed");
  });

  test("a case without a name is called what its command is", async () => {
    const sandbox = new CommandSandbox();
    const cases = CASES.replaceAll(/- name: .*\n {2}/g, "- ");
    sandbox.hook("guard", { script: GUARD, cases });
    expect((await sandbox.run(["test"])).stdout).toMatch(/✓ ls .*\n.*✓ rm -rf \/ .*\n/);
  });

  test("a failure shows the expected and actual result, and the line of the case", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("lax", { script: "echo looks fine", cases: CASES });
    const { code, stdout } = await sandbox.run(["test"]);
    expect(code).toBe(1);
    expect(stdout).toContain("✗ refuses rm -rf");
    expect(stdout).toContain("expected the outcome deny, got allow\n");
    expect(stdout).toContain('expected a reason with "dangerous", got ""');
    expect(stdout).toContain(`${join(".agents", "hooks", "lax", "tests", "cases.yaml")}:5`);
    expect(stdout).toContain("output: looks fine");
    expect(stdout).toMatch(/\n1 passed, 1 failed\n$/);
  });

  test.each([
    ["deny", "echo no >&2; exit 2"],
    ["deny", `echo '{"decision": "block", "reason": "no"}'`],
    ["allow", "exit 0"],
    ["ask", `echo '{"decision": "ask", "reason": "sure?"}'`],
    ["stop", `echo '{"decision": "stop", "reason": "enough"}'`],
    ["failed", "exit 3"],
    ["failed", `echo '{"broken'`],
    ["failed", `echo "{'decision': 'deny'}"`],
    ["failed", `echo '{"modified_result": 1}'`],
  ])("reads %s from: %s", async (outcome, script) => {
    const sandbox = new CommandSandbox();
    sandbox.hook("it", {
      script,
      fields: ["on_error: block"],
      cases: `event: { tool_name: Shell }\nexpect: { outcome: ${outcome} }`,
    });
    expect((await sandbox.run(["test"])).stdout).toContain("1 passed, 0 failed");
  });

  test("shows how to print a tolerated answer correctly", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("clumsy", {
      script: `echo checking; echo '{"Decision": "Deny"}'`,
      cases: "event: { tool_name: Shell }\nexpect: { outcome: deny }",
    });
    const { code, stdout } = await sandbox.run(["test"]);
    expect(stdout).toContain("! its answer stands among other output");
    expect(stdout).toContain('! "Decision" is read as "decision"');
    expect(stdout).toContain('! its decision is "Deny"; write "deny"');
    expect(code).toBe(0);
    const data = JSON.parse((await sandbox.run(["test", "--json"])).stdout);
    expect(data.hooks[0].cases[0].notes).toHaveLength(3);
  });

  test("compares the whole changed input, and searches the added context", async () => {
    const sandbox = new CommandSandbox();
    const script = `echo '{"modified_input": {"command": "ls", "limit": 5}, "additional_context": "it was rewritten"}'`;
    const expectation = (input: string) => `
- event: { tool_name: Shell, tool_input: { command: rm } }
  expect: { outcome: allow, tool_input: ${input}, additional_context: rewritten }
`;
    sandbox.hook("good", { script, cases: expectation("{ limit: 5, command: ls }") });
    sandbox.hook("bad", { script, cases: expectation("{ command: ls }") });
    expect((await sandbox.run(["test", join(".agents", "hooks", "good")])).code).toBe(0);
    const { code, stdout } = await sandbox.run(["test", join(".agents", "hooks", "bad")]);
    expect(code).toBe(1);
    expect(stdout).toContain('expected the tool input {"command":"ls"}, got {"command":"ls","limit":5}');
  });

  test("an unmatched event is allowed, and a failed case names the matcher", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { fields: ["matcher:", "  tool: WriteFile"], script: "exit 2", cases: CASES });
    const { stdout } = await sandbox.run(["test"]);
    expect(stdout).toContain("expected the outcome deny, got allow, because its matcher did not match");
    expect(stdout).toContain("1 passed, 1 failed");
  });

  test("runs only that hook", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("blocker", { scope: "user", fields: ["priority: 1000"], script: "exit 2" });
    const guard = sandbox.hook("guard", { script: GUARD, cases: CASES });
    expect((await sandbox.run(["test", guard])).stdout).toContain("2 passed, 0 failed");
  });

  test("supports background hooks, action: block, other events and fixtures", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("watcher", {
      fields: ["async: true"],
      script: "exit 3",
      cases: "event: { tool_name: X }\nexpect: { outcome: failed }",
    });
    sandbox.hook("rule", {
      fields: ["action: block", "reason: never"],
      cases: "event: { tool_name: X }\nexpect: { outcome: deny, reason: never }",
    });
    sandbox.hook("both", {
      trigger: "PostToolUse",
      script: "grep -q after_tool_failure && exit 2; exit 0",
      cases:
        "- event: { tool_name: X }\n  expect: { outcome: allow }\n- event: { event_type: after_tool_failure, tool_name: X }\n  expect: { outcome: deny }\n",
    });
    const gate = sandbox.hook("gate", {
      trigger: "before_stop",
      script: "test -e done.txt || exit 2",
      cases:
        "- event: { work_dir: fixtures/done }\n  expect: { outcome: allow }\n- event: {}\n  expect: { outcome: deny }\n",
    });
    sandbox.write(join(gate, "tests", "fixtures", "done", "done.txt"), "");
    const { stdout } = await sandbox.run(["test"]);
    expect(stdout).toMatch(/\n6 passed, 0 failed\n$/);
  });

  test.each([
    ["expect:\n  outcome: deny\nexpct: 1", ':3: error: a case has no field "expct"'],
    ["event: {}", ":1: error: expect is missing"],
    ["event: {}\nexpect: { outcome: block }", ':2: error: unknown outcome "block"; did you mean deny?'],
    ["event: {}\nexpect:\n  reason: x", ":3: error: outcome is missing"],
    ["event: {}\nexpect:\n  outcome: deny\n  raeson: x", ':4: error: expect has no field "raeson"'],
    ["- one\n- event: {}\n  expect: { outcome: allow }", ":1: error: a case must have"],
    ["event: [1]\nexpect: { outcome: allow }", ":1: error: event must have fields"],
    ["event: {\nexpect", "error:"],
    ["", ":1: error: a case must have"],
  ])("the malformed case file %j is a finding with its line, and a failure", async (cases, message) => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { trigger: "before_stop", script: "exit 0", cases });
    const { code, stdout } = await sandbox.run(["test"]);
    expect(stdout).toContain(message);
    expect(stdout).toMatch(/ [1-9]\d* failed\n$/);
    expect(code).toBe(1);
  });

  test.each([
    ["event: {}", "not a valid before_tool event: tool_name"],
    ["event: { event_type: before_stop }", "the hook is for before_tool, not for before_stop"],
    ["event: { event_type: before_tol, tool_name: X }", 'unknown event "before_tol".'],
  ])("a case with %s fails with the reason", async (event, message) => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: "exit 0", cases: `${event}\nexpect: { outcome: allow }` });
    const { code, stdout } = await sandbox.run(["test"]);
    expect(stdout).toContain(message);
    expect(code).toBe(1);
  });

  test("a hook that cannot be read is a failure", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("broken", { trigger: "nonsense", script: "exit 0", cases: CASES });
    const { code, stdout } = await sandbox.run(["test"]);
    expect(stdout).toContain('HOOK.md:4: error: there is no event "nonsense"');
    expect(code).toBe(1);
  });

  test("reports missing tests, which fail only with --strict", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: "exit 0" });
    const { code, stdout } = await sandbox.run(["test"]);
    expect({ code, last: stdout.split("\n").at(-2) }).toEqual({ code: 0, last: "0 passed, 0 failed" });
    expect(stdout).toContain("no tests; add cases to");
    expect((await sandbox.run(["test", "--strict"])).code).toBe(1);
  });

  test("each case has its own session, which is removed", async () => {
    const sandbox = new CommandSandbox();
    const script = 'test -e "$TENTERHOOK_STATE_DIR/seen" && exit 2; touch "$TENTERHOOK_STATE_DIR/seen"';
    const aCase = "- event: { tool_name: X }\n  expect: { outcome: allow }\n";
    sandbox.hook("once", { script, cases: aCase + aCase });
    expect((await sandbox.run(["test"])).stdout).toContain("2 passed, 0 failed");
    expect(readdirSync(join(sandbox.auditFile, "..", "sessions"))).toEqual([]);
  });

  test("--json gives every case", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("guard", { script: "exit 0", cases: CASES });
    expect(await sandbox.json(["test"])).toMatchObject({
      passed: 1,
      failed: 1,
      hooks: [
        {
          hook: "guard",
          folder,
          findings: [],
          cases: [
            { name: "lets ls pass", line: 2, passed: true, problems: [], duration_ms: expect.any(Number) },
            { name: "refuses rm -rf", line: 5, passed: false },
          ],
        },
      ],
    });
  });
});
