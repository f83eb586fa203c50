import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { loadClients } from "../clients/index.ts";
import { CANNOT_RUN, fallbackAnswers, NOT_CHECKED } from "./fallback-answers.ts";
import { hookScript } from "./hook-script.ts";

const answers = fallbackAnswers(await loadClients());

/** What the script prints and ends with when node is gone, and a list of guards is known. */
function ran(client: string, event: string, guards: readonly string[]) {
  const folder = temporaryFolder();
  const list = join(folder, "guards");
  writeFileSync(list, [...guards.map((line) => `${line}\t*\tthe-guard\n`), "# Guards\n"].join(""));
  const pins = {
    ...{ node: "/gone/node", bridge: "/gone/bridge.js", home: folder, configHome: folder },
    ...{ stateHome: folder, cacheHome: folder, path: ["/usr/bin", "/bin"], language: {} },
  };
  const script = join(folder, "hook");
  writeFileSync(script, hookScript({ pins, answers, guards: list, hasPrivilegedMode: false }), {
    mode: 0o755,
  });
  // Not as a program: a child of another thread may still have it open to write.
  const { status, stdout, stderr } = spawnSync("/bin/sh", [script, "--client", client, "--event", event], {
    cwd: folder,
    input: "{}",
    encoding: "utf8",
  });
  return { status, stdout: stdout.trimEnd(), stderr };
}

/** How each client is refused a call when node is gone: the exit code, and the JSON as the client was measured to read it. */
const REFUSALS: Readonly<Record<string, { event: string; exit: 0 | 2; stdout: unknown }>> = {
  claude: denied("PreToolUse", 2),
  codex: denied("PreToolUse", 2),
  droid: denied("PreToolUse", 2),
  kimi: denied("PreToolUse", 2),
  qwen: denied("PreToolUse", 2),
  gemini: { event: "BeforeTool", exit: 2, stdout: { decision: "deny", reason: CANNOT_RUN } },
  copilot: {
    event: "PreToolUse",
    exit: 2,
    stdout: { permissionDecision: "deny", permissionDecisionReason: CANNOT_RUN },
  },
  cline: { event: "PreToolUse", exit: 0, stdout: { cancel: true, errorMessage: CANNOT_RUN } },
  opencode: { event: "PreToolUse", exit: 2, stdout: { block: CANNOT_RUN } },
};

function denied(event: string, exit: 0 | 2) {
  const decision = { permissionDecision: "deny", permissionDecisionReason: CANNOT_RUN };
  return { event, exit, stdout: { hookSpecificOutput: { hookEventName: event, ...decision } } };
}

test("every client has a row in the table of refusals", async () => {
  expect(Object.keys(REFUSALS).sort()).toEqual((await loadClients()).map(({ id }) => id).sort());
});

describe.each(Object.entries(REFUSALS))("%s without node", (client, { event, exit, stdout }) => {
  test("is refused a tool in its own form where a guard must block", () => {
    const end = ran(client, event, ["before_tool"]);
    expect(end.status).toBe(exit);
    expect(JSON.parse(end.stdout)).toMatchObject(stdout as object);
    expect(end.stderr).toContain("node is gone from /gone/node; run: npx tenterhook install");
    expect(end.stderr).toContain(`${CANNOT_RUN} (the-guard)`);
  });

  test("passes every event that no guard concerns, with a message wherever it has a form for one", () => {
    for (const answer of answers.filter((each) => each.client === client)) {
      const end = ran(client, answer.event, []);
      expect({ event: answer.event, status: end.status, stdout: end.stdout }).toEqual({
        event: answer.event,
        status: answer.notice.exit,
        stdout: answer.notice.stdout,
      });
      expect(end.stderr).toContain(NOT_CHECKED);
      if (!["", "{}"].includes(answer.notice.stdout)) expect(answer.notice.stdout).toContain(NOT_CHECKED);
    }
  });
});
