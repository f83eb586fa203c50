import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { test } from "vitest";
import { endedCommand } from "./ended-command.ts";
import { fuzz, limitMs, type Volume } from "./fuzz.ts";
import { mutated, mutation } from "./mutate-json.ts";
import { oddDate, oddJson, oddNumber, oddText, writeOut } from "./odd-values.ts";

const VOLUME: Volume = { short: 5, share: 0.004, atOnce: 3, eachMs: 3_000 };

/** Commands that end by themselves. */
const COMMANDS = [
  "init list check test explain try trust log explain prompt run events runs agents approvals tokens help --version",
  "install uninstall clients doctor bridge completion webhook-key",
  "",
].flatMap((line) => line.split(" "));

const OPTIONS = [
  "--json",
  "--help",
  "--event",
  "--client",
  "--dry-run",
  "--project",
  "--tool",
  "--input",
  "--url",
  "--token",
  "--limit",
  "--since",
  "--cwd",
  "--all",
  "--revoke",
  "--status",
  "--scope",
  "--name",
  "--",
  "-",
  "--=",
  "--no-such",
];

const agentFile = fc
  .tuple(
    fc.constant({
      name: "fuzzed",
      model: { provider: "scripted", script: ["done"] },
      instructions: "Say done.",
      tools: ["Shell"],
      hooks: { before_tool: [{ matcher: { tool: "Shell" }, action: "block", reason: "no" }] },
    }),
    fc.array(mutation, { maxLength: 3 }),
  )
  .map(([value, mutations]) => JSON.stringify(mutated(value, mutations)) ?? "");

/** Arguments of the command, and a JSON file that they may name. */
const invocation = fc.record({
  args: fc
    .tuple(
      fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...COMMANDS) }, { weight: 1, arbitrary: oddText }),
      fc.array(
        fc.oneof(
          fc.constantFrom(...OPTIONS),
          fc.constantFrom(
            "before_tool",
            "claude",
            "PreToolUse",
            "Shell",
            "file.json",
            "list",
            "show",
            "create",
            "save",
            "approve",
            "name",
            "--input=@file.json",
          ),
          oddText,
          oddNumber.map(String),
          oddDate,
          oddJson.map((value) => JSON.stringify(value)),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([command, rest]) => [command, ...rest].map((arg) => arg.replaceAll("\0", ""))),
  file: fc.oneof(
    agentFile,
    oddJson.map((value) => JSON.stringify(value)),
    oddText,
  ),
});

test(
  "the command ends with 0, 1 or 2 and without a stack trace for random arguments and files",
  async () => {
    await fuzz("command", VOLUME, invocation, async ({ args, file }) => {
      const folder = await mkdtemp(join(tmpdir(), "tenterhook-fuzz-"));
      try {
        await writeFile(join(folder, "file.json"), writeOut(file));
        // The length of an argument is limited.
        const written = args.map((arg) => writeOut(arg).slice(0, 100_000));
        const { code, output } = await endedCommand(written, { cwd: folder });
        if (![0, 1, 2].includes(code ?? -1))
          throw new Error(`it ended with ${code}: ${output.slice(-2_000)}`);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
  limitMs("command", VOLUME),
);
