import { join } from "node:path";
import { expect, test } from "vitest";
import { FileHooksSandbox } from "./file-hooks-sandbox.ts";

const TOML = "hooks.toml";
const rule = (action: "ask" | "block", more: object = {}) => ({ action, reason: "sure?", ...more });
const settings = (...lines: readonly string[]) => `[hooks.rule]\n${lines.join("\n")}\n`;

/** The verdict of the rule about a command, where a person approves everything. */
async function verdict(sandbox: FileHooksSandbox): Promise<string> {
  const { action } = await sandbox.shell(sandbox.hooks(), "ls", { approve: () => ({ type: "approve" }) });
  return action;
}

async function problems(sandbox: FileHooksSandbox): Promise<readonly string[]> {
  const { findings } = await sandbox.fileHooks().catalogue("before_tool");
  return findings.map(({ severity, field, message }) => `${severity} ${field}: ${message}`);
}

test("the user's hooks.toml makes a rule that blocks ask, and one that asks block", async () => {
  const sandbox = new FileHooksSandbox();
  const toml = join(sandbox.userHooks, TOML);
  sandbox.hook(sandbox.userHooks, "rule", rule("block"));
  expect(await verdict(sandbox)).toBe("refuse");
  sandbox.write(toml, settings('action = "ask"'));
  expect(await verdict(sandbox)).toBe("go_on");
  sandbox.hook(sandbox.userHooks, "rule", rule("ask"));
  sandbox.write(toml, settings('action = "block"'));
  expect(await verdict(sandbox)).toBe("refuse");
  expect(await problems(sandbox)).toEqual([]);
});

test("a project's hooks.toml makes its rule stricter, and an attempt to make it weaker is an error without effect", async () => {
  const sandbox = new FileHooksSandbox();
  const toml = settings('action = "block"');
  sandbox.hook(sandbox.projectHooks, "rule", rule("ask"));
  sandbox.write(join(sandbox.projectHooks, TOML), toml);
  await sandbox.trustAll(toml);
  expect([await verdict(sandbox), await problems(sandbox)]).toEqual(["refuse", []]);

  const weaker = settings('action = "ask"', 'not_path = ["scratch"]');
  sandbox.hook(sandbox.projectHooks, "rule", rule("block"));
  sandbox.write(join(sandbox.projectHooks, TOML), weaker);
  await sandbox.trustAll(weaker);
  expect(await verdict(sandbox)).toBe("refuse");
  expect(await problems(sandbox)).toEqual([
    expect.stringMatching(
      /^error hooks.rule.action: .*has no effect: a project's.*only make a rule stricter/,
    ),
    expect.stringMatching(/^error hooks.rule.not_path: .*has no effect: a project's/),
  ]);
  expect(sandbox.logged.join("\n")).toContain("hooks.rule.action has no effect");
});

test("a user may still make a project's rule weaker, by its name", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.projectHooks, "rule", rule("block"));
  await sandbox.trustAll();
  sandbox.write(join(sandbox.userHooks, TOML), settings('action = "ask"'));
  expect(await verdict(sandbox)).toBe("go_on");
});

test.each<[string, object, string, RegExp]>([
  ["a hook with a script", {}, 'action = "block"', /rule has no action to change/],
  [
    "an event where no person can be asked",
    { ...rule("block"), trigger: "before_agent" },
    'action = "ask"',
    /no person can be asked at before_agent/,
  ],
  [
    "a rule that is not about effects",
    { ...rule("block"), matcher: { tool: "Shell" } },
    'not_path = "scratch"',
    /the matcher of rule has no effect/,
  ],
  ["any rule, with another action", rule("block"), 'action = "allow"', /must be "block" or "ask"/],
  ["any rule, with a number", rule("block"), "not_path = [7]", /must be a path or a path set/],
  ["any rule, with an unknown set", rule("block"), 'not_path = "scratsh"', /no such path set/],
])("of %s a setting that cannot have an effect is an error", async (_, fields, line, message) => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "rule", fields as Record<string, unknown>, "exit 0");
  sandbox.write(join(sandbox.userHooks, TOML), settings(line));
  const { findings } = await sandbox.fileHooks().catalogue();
  expect(findings).toMatchObject([{ severity: "error", message: expect.stringMatching(message) }]);
});
