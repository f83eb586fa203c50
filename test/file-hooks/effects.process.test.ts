import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunOptions } from "@tenterhook/engine/host";
import { describe, expect, test } from "vitest";
import { FileHooksSandbox } from "./file-hooks-sandbox.ts";

const WHOLE = { effect: "delete", path: ["root", "system"], not_path: "scratch", unknown: "pass" };
const UNREADABLE = "echo $((";

/** A sandbox with one rule of the user that has no script. */
function withRule(fields: Record<string, unknown>): FileHooksSandbox {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "rule", { action: "block", reason: "Too much", ...fields });
  return sandbox;
}

/** What a command leads to, and why. */
async function asked(sandbox: FileHooksSandbox, command: string, options?: RunOptions) {
  const { action, reason } = await sandbox.shell(sandbox.hooks(), command, options);
  return reason === undefined ? action : `${action}: ${reason}`;
}

describe("a rule about an effect", () => {
  test("refuses what has it, names it in the reason, and lets quoted text pass", async () => {
    const sandbox = withRule({ matcher: WHOLE });
    expect(await asked(sandbox, "sudo rm -fr /")).toBe(
      "refuse: Too much: it deletes / recursively (sudo rm -fr /)",
    );
    expect(await asked(sandbox, 'git commit -m "rm -rf /"')).toBe("go_on");
    expect(await asked(sandbox, "rm -rf /tmp/x")).toBe("go_on");
    expect(await asked(sandbox, 'rm -rf "$unknown"')).toBe("go_on");
  });

  test("with a list refuses what one of its matchers is about", async () => {
    const sandbox = withRule({ matcher: [WHOLE, { effect: "power" }, { tool: "Grep", pattern: "secret" }] });
    expect(await asked(sandbox, "reboot")).toBe(
      "refuse: Too much: it stops or restarts the machine (reboot)",
    );
    expect(await asked(sandbox, "grep secret x")).toBe("go_on");
  });

  test("is about file tools too, and not about a tool that is not known", async () => {
    const sandbox = withRule({ matcher: { effect: "write", path: "system" } });
    const hooks = sandbox.hooks();
    const write = (toolName: string) =>
      hooks.dispatch("before_tool", {
        toolName,
        toolInput: { file_path: "/etc/hosts", content: "x" },
        workDir: sandbox.project,
      });
    expect((await write("WriteFile")).reason).toContain("it writes /etc/hosts (WriteFile /etc/hosts)");
    expect((await write("save")).action).toBe("go_on");
  });

  test("that names its tool is about that tool only", async () => {
    const sandbox = withRule({ matcher: { tool: "^WriteFile$", effect: "write", path: "system" } });
    expect(await asked(sandbox, "echo x > /etc/hosts")).toBe("go_on");
  });
});

describe("a line that cannot be read", () => {
  test("is asked about by a rule that blocks, and refused where no person can be asked", async () => {
    const sandbox = withRule({ matcher: WHOLE });
    expect(await asked(sandbox, UNREADABLE)).toMatch(/^refuse: .*What this call does is not known/);
    expect(await asked(sandbox, UNREADABLE, { approve: () => ({ type: "approve" }) })).toBe("go_on");
  });

  test("is one question for all rules, and passes those that say so", async () => {
    const sandbox = withRule({ matcher: WHOLE });
    sandbox.hook(sandbox.userHooks, "other", {
      action: "ask",
      reason: "sure?",
      matcher: { effect: "power" },
    });
    const passing = { effect: "send", unreadable: "pass" };
    sandbox.hook(sandbox.userHooks, "third", { action: "block", reason: "never", matcher: passing });
    const questions: string[] = [];
    const approve = ({ reason }: { readonly reason: string }) => {
      questions.push(reason);
      return { type: "approve" } as const;
    };
    const hooks = sandbox.hooks();
    for (const times of [1, 2]) {
      expect((await sandbox.shell(hooks, UNREADABLE, { approve })).action).toBe("go_on");
      expect(questions).toHaveLength(times);
    }
    const refused = await sandbox.shell(hooks, UNREADABLE, { approve: () => ({ type: "reject" }) });
    expect(refused.action).toBe("refuse");
  });

  test("is left to a script, which may refuse it", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "script", { matcher: WHOLE }, "echo no >&2; exit 2");
    expect(await asked(sandbox, UNREADABLE, { approve: () => ({ type: "approve" }) })).toBe("refuse: no");
  });
});

test("a user's not_path lets a path pass that a rule is about, and a project's does not", async () => {
  const toml = '[hooks.rule]\nnot_path = ["/srv/data/**"]\n';
  const matcher = { effect: "delete.recursive", path: "outside-project", not_path: "scratch" };
  const sandbox = withRule({ matcher });
  expect(await asked(sandbox, "rm -rf /srv/data/x")).toMatch(/^refuse/);
  sandbox.write(join(sandbox.userHooks, "hooks.toml"), toml);
  expect(await asked(sandbox, "rm -rf /srv/data/x")).toBe("go_on");
  expect(await asked(sandbox, "rm -rf /tmp/x")).toBe("go_on");
  expect(await asked(sandbox, "rm -rf /srv/other")).toMatch(/^refuse/);
});

describe("effects in the event that a script reads", () => {
  const KEEP = 'cat > "$TENTERHOOK_PROJECT_DIR/event.json"';
  const event = (sandbox: FileHooksSandbox) => readFileSync(join(sandbox.project, "event.json"), "utf8");

  test("are there where its matcher asks for them, before the context, one field a line", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "script", { matcher: { effect: "delete" } }, KEEP);
    await asked(sandbox, "sudo rm -fr /srv/x");
    expect(event(sandbox)).toContain('"effect": "delete.recursive",\n');
    const parsed = JSON.parse(event(sandbox)) as Record<string, unknown>;
    expect(Object.keys(parsed).slice(-2)).toEqual(["effects", "context"]);
    expect(parsed.effects).toEqual([
      {
        effect: "delete.recursive",
        targets: [{ path: "/srv/x", resolved: "/srv/x", known: "known" }],
        command: "sudo rm -fr /srv/x",
        where: "here",
        elevated: true,
      },
    ]);
  });

  test("are there where its metadata asks for them, also if there are none", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "script", { metadata: { effects: true } }, KEEP);
    await asked(sandbox, "echo hello");
    expect(JSON.parse(event(sandbox))).toMatchObject({ effects: [] });
  });

  test("are not there otherwise, nor for a tool that is not known", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.userHooks, "script", {}, KEEP);
    await asked(sandbox, "rm x");
    expect(JSON.parse(event(sandbox))).not.toHaveProperty("effects");
    sandbox.hook(sandbox.userHooks, "script", { metadata: { effects: true } }, KEEP);
    expect(folder).toContain("script");
    const payload = { toolName: "save", toolInput: {}, workDir: sandbox.project };
    await sandbox.hooks().dispatch("before_tool", payload);
    expect(JSON.parse(event(sandbox))).not.toHaveProperty("effects");
  });

  test("are at most a hundred; the last of more says how many are left out", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "script", { metadata: { effects: true } }, KEEP);
    const command = Array.from({ length: 150 }, (_, nth) => `rm /srv/x${nth}`).join("; ");
    await asked(sandbox, command);
    const { effects } = JSON.parse(event(sandbox)) as { effects: readonly object[] };
    expect(effects).toHaveLength(100);
    expect(effects.at(-1)).toMatchObject({ effect: "unreadable", reason: "51 more effects are left out" });
  });
});
