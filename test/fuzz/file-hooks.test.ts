import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_NAMES, eventRow, TenterhookError } from "@tenterhook/protocol";
import fc from "fast-check";
import { test } from "vitest";
import { threadTimeMs } from "../../packages/engine/src/match/thread-time.ts";
import { PrintedOutput } from "../../packages/file-hooks/src/reply/printed-output.ts";
import { outcomeOfExit } from "../../packages/file-hooks/src/run/run-hook.ts";
import { FileHooksSandbox } from "../file-hooks/file-hooks-sandbox.ts";
import { fuzz, limitMs, mustBeWithin, type Volume } from "./fuzz.ts";
import { hookFileBytes, hookFileText } from "./hooks/hook-file-text.ts";
import { type HookOutput, hookOutput, outputBytes } from "./hooks/hook-output.ts";

const events = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent");
/** Reading an answer, or a HOOK.md, must never delay an event. */
const MAX_MS = 1_000;

const OUTPUT: Volume = { short: 500, share: 0.485 };

test(
  "a refusal in a hook's output is a refusal or a failure, and never lets the tool run",
  async () => {
    await fuzz("hook output", OUTPUT, fc.tuple(fc.constantFrom(...events), hookOutput), ([event, output]) => {
      const started = threadTimeMs();
      const kept = new PrintedOutput(1024 * 1024, 64 * 1024);
      kept.add(outputBytes(output));
      const exit = { code: 0, signal: null, timedOut: false, aborted: false, flooded: false };
      try {
        const { outcome } = outcomeOfExit(event, { ...exit, stdout: kept.printed, stderr: "" }, 1_000);
        if (output.refuses && outcome.type === "proceed") throw new Error("it proceeds");
      } catch (error) {
        // A failure goes to on_error, with a reason.
        if (!TenterhookError.isInstance(error)) throw error;
      }
      mustBeWithin(MAX_MS, started);
    });
  },
  limitMs("hook output", OUTPUT),
);

const PROCESSES: Volume = { short: 8, share: 0.005, atOnce: 4, eachMs: 1_500 };

test(
  "a script that prints a refusal refuses, with any other output, and dispatch never throws",
  async () => {
    const sandbox = new FileHooksSandbox();
    const printed = join(sandbox.root, "printed");
    mkdirSync(printed);
    sandbox.hook(
      sandbox.userHooks,
      "printer",
      { on_error: "block", timeout: 10_000 },
      `cat >/dev/null; cat "${printed}/$TENTERHOOK_SESSION_ID"; exit $(cat "${printed}/$TENTERHOOK_SESSION_ID.code")`,
    );
    const hooks = sandbox.hooks();
    const process: fc.Arbitrary<readonly [HookOutput, number]> = fc.tuple(
      hookOutput,
      fc.constantFrom(0, 0, 0, 1, 2, 127),
    );
    await fuzz("hook processes", PROCESSES, process, async ([output, code]) => {
      const sessionId = randomUUID();
      writeFileSync(join(printed, sessionId), outputBytes(output));
      writeFileSync(join(printed, `${sessionId}.code`), String(code));
      const payload = {
        toolName: "Shell",
        toolInput: { command: "ls" },
        sessionId,
        workDir: sandbox.project,
      };
      const { action } = await hooks.dispatch("before_tool", payload);
      if ((code !== 0 || output.refuses) && action === "go_on") throw new Error("the tool would run");
    });
  },
  limitMs("hook processes", PROCESSES),
);

const FILES: Volume = { short: 40, share: 0.03 };

test(
  "for any content of a HOOK.md, the guard beside it holds, and dispatch never throws",
  async () => {
    const sandbox = new FileHooksSandbox();
    const guard = { action: "block", reason: "guarded", matcher: { tool: "Shell" }, priority: 500 };
    sandbox.hook(sandbox.userHooks, "guard", guard);
    const hooks = sandbox.hooks();
    const generated = fc.record({ text: hookFileText, scope: fc.constantFrom("user", "project") });
    await fuzz("hook files", FILES, generated, async ({ text, scope }) => {
      const folder = join(scope === "user" ? sandbox.userHooks : sandbox.projectHooks, "other");
      sandbox.write(join(folder, "HOOK.md"), hookFileBytes(text));
      const started = threadTimeMs();
      const { action } = await sandbox.shell(hooks, "ls");
      mustBeWithin(MAX_MS, started);
      if (action === "go_on") throw new Error("the guard was not asked");
      const { findings } = await sandbox.fileHooks().catalogue();
      const longest = Math.max(0, ...findings.map(({ message }) => message.length));
      if (longest > 4_000) throw new Error(`a finding has ${longest} characters`);
      sandbox.write(join(folder, "HOOK.md"), "");
    });
  },
  limitMs("hook files", FILES),
);
