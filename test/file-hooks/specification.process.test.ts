import { cpSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";
import { ALIASES } from "@tenterhook/protocol/internal";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FileHooksSandbox } from "./file-hooks-sandbox.ts";

// Every HOOK.md and every script of the specification, to the letter, in test/fixtures/specification.

const fixtures = fileURLToPath(new URL("../fixtures/specification/", import.meta.url));

/** A sandbox whose user has this hook of the specification. */
function sandboxWith(...names: string[]): FileHooksSandbox {
  const sandbox = new FileHooksSandbox();
  for (const name of names) cpSync(join(fixtures, name), join(sandbox.userHooks, name), { recursive: true });
  return sandbox;
}

test.each(readdirSync(fixtures))("%s is read without an error", async (name) => {
  const { hooks, findings } = await sandboxWith(name).fileHooks().catalogue();
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(hooks).toHaveLength(1);
});

describe("section 2, output", () => {
  test("a decision to allow is obeyed and its log is shown", async () => {
    const sandbox = sandboxWith("security-check");
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
    expect(sandbox.logged).toContain("security-check: Command validated");
  });

  test("exit code 2 blocks with stderr as the reason", async () => {
    const sandbox = sandboxWith("block-dangerous-commands-short");
    expect(await sandbox.shell(sandbox.hooks(), "rm -rf / --no-preserve-root")).toMatchObject({
      action: "refuse",
      reason: "Dangerous command blocked: rm -rf / would destroy the system",
    });
    expect((await sandbox.shell(sandbox.hooks(), "ls")).action).toBe("go_on");
  });
});

describe("section 4, matchers", () => {
  test.each([
    [{ tool: "Shell" }, "Shell", { command: "ls" }, true],
    [{ tool: "Shell" }, "ReadFile", { file_path: "x" }, false],
    [
      { tool: "WriteFile", pattern: "\\.(py|js|ts)$" },
      "WriteFile",
      { file_path: "a.ts", content: "x" },
      true,
    ],
    [
      { tool: "WriteFile", pattern: "\\.(py|js|ts)$" },
      "WriteFile",
      { file_path: "a.md", content: "x" },
      false,
    ],
    [
      { tool: "Shell", pattern: "(rm -rf|mkfs|dd if=/dev/zero)" },
      "Shell",
      { command: "mkfs /dev/sda" },
      true,
    ],
    [{ pattern: "/etc/passwd|/var/www" }, "ReadFile", { file_path: "/etc/passwd" }, true],
    [{ pattern: "/etc/passwd|/var/www" }, "Shell", { command: "ls" }, false],
  ])("%j and %s %j: %s", async (matcher, toolName, toolInput, expected) => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "hook", { matcher }, "echo matched >&2; exit 2");
    const dispatch = await sandbox
      .hooks()
      .dispatch("before_tool", { toolName, toolInput, workDir: sandbox.project });
    expect(dispatch.reason === "matched").toBe(expected);
  });
});

describe("section 6, patterns", () => {
  test("sensitive operations are blocked", async () => {
    const sandbox = sandboxWith("pattern-3-deploy");
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks, "kubectl apply -n production")).reason).toMatch(
      /production environment/,
    );
    expect((await sandbox.shell(hooks, "kubectl apply -n staging")).action).toBe("go_on");
  });

  test("a hook without a script is reported and lets the operation proceed", async () => {
    const sandbox = sandboxWith("pattern-4-audit", "pattern-2-format");
    const hooks = sandbox.hooks();
    await hooks.dispatch("session_end", { workDir: sandbox.project });
    await hooks.drain();
    expect(sandbox.reported.join()).toMatch(/hook "audit-log" on session_end: .*it has no script/);
  });

  describe("the quality gate, whose tests chatter on stdout", () => {
    const path = process.env.PATH;
    let sandbox: FileHooksSandbox;
    const gate = async () => {
      const { action, reason } = await sandbox
        .hooks()
        .dispatch("before_stop", { stopReason: "no_tool_calls", workDir: sandbox.project });
      return [action, reason];
    };
    const program = (name: string, code: number) =>
      sandbox.write(
        join(sandbox.root, "bin", name),
        `#!/bin/sh\necho '{ chatter of ${name}'; echo more; exit ${code}\n`,
        0o755,
      );

    beforeEach(() => {
      sandbox = sandboxWith("pattern-5-quality");
      process.env.PATH = `${join(sandbox.root, "bin")}${delimiter}${path}`;
    });
    afterEach(() => {
      process.env.PATH = path;
    });

    test("holds the agent while the tests fail", async () => {
      program("npm", 1);
      program("black", 0);
      expect(await gate()).toEqual(["hold", "Tests must pass before completing"]);
    });

    test("holds the agent while the code is not formatted", async () => {
      program("npm", 0);
      program("black", 1);
      expect(await gate()).toEqual(["hold", "Code is not formatted. Run 'black .' first"]);
    });

    test("lets it stop when the checks pass, with any output", async () => {
      for (const name of ["npm", "black"]) {
        sandbox.write(join(sandbox.root, "bin", name), "#!/bin/sh\necho 'all 12 tests passed'\n", 0o755);
      }
      expect(await gate()).toEqual(["go_on", undefined]);
      expect(sandbox.logged.join()).toContain("all 12 tests passed");
    });
  });
});

describe("section 10, the complete example", () => {
  test.each([
    ["rm -rf /tmp/x", "refuse"],
    ["mkfs /dev/sda", "refuse"],
    ["dd if=/dev/zero of=x", "refuse"],
    ["ls -la", "go_on"],
  ])("%s: %s", async (command, action) => {
    const sandbox = sandboxWith("complete-example");
    expect((await sandbox.shell(sandbox.hooks(), command)).action).toBe(action);
  });
});

describe("triggers", () => {
  const later = Object.entries(ALIASES).filter(([, { dialect }]) => dialect === "hook-md");

  test.each([
    ...EVENT_NAMES.filter((event) => eventRow(event).layer === "agent"),
    ...later.map(([name]) => name),
  ])("%s is understood", async (trigger) => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "hook", { trigger }, "exit 0");
    const { hooks, findings } = await sandbox.fileHooks().catalogue();
    expect(findings).toEqual([]);
    const expected = trigger in ALIASES ? ALIASES[trigger as keyof typeof ALIASES].events : [trigger];
    expect(hooks[0]?.hook.events).toEqual(expected);
  });

  test.each(EVENT_NAMES.filter((event) => eventRow(event).layer === "coordinator"))(
    "%s belongs in blueprints and is refused by name",
    async (trigger) => {
      const sandbox = new FileHooksSandbox();
      sandbox.hook(sandbox.userHooks, "hook", { trigger }, "exit 0");
      const { hooks, findings } = await sandbox.fileHooks().catalogue();
      expect(hooks).toEqual([]);
      expect(findings[0]?.message).toContain(`${trigger} belongs to the coordinator`);
    },
  );
});
