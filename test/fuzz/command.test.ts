import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { test } from "vitest";
import { fuzz, limitMs, type Volume } from "./fuzz.ts";
import { mutated, mutation } from "./mutate-json.ts";
import { oddDate, oddJson, oddNumber, oddText, writeOut } from "./odd-values.ts";

const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/bin/tenterhook.js", import.meta.url));
const VOLUME: Volume = { short: 5, share: 0.004, atOnce: 3, eachMs: 3_000 };
const MAX_MS = 30_000;

/** Commands that end by themselves. */
const COMMANDS = [
  "init list check test explain try trust log prompt run run-agent resume runs agents approvals token help --version",
  "",
].flatMap((line) => line.split(" "));

const OPTIONS = [
  "--json",
  "--help",
  "--event",
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

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function ended(args: readonly string[], cwd: string): Promise<Ended> {
  // The length of an argument is limited.
  const written = args.map((arg) => writeOut(arg).slice(0, 100_000));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...written], {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: cwd,
        // Nothing listens there.
        TENTERHOOK_URL: "http://127.0.0.1:9",
        TENTERHOOK_TOKEN: "none",
      },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: MAX_MS,
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

test(
  "the command ends with 0, 1 or 2 and without a stack trace for random arguments and files",
  async () => {
    await fuzz("command", VOLUME, invocation, async ({ args, file }) => {
      const folder = await mkdtemp(join(tmpdir(), "tenterhook-fuzz-"));
      try {
        await writeFile(join(folder, "file.json"), writeOut(file));
        const { code, output } = await ended(args, folder);
        if (![0, 1, 2].includes(code ?? -1))
          throw new Error(`it ended with ${code}: ${output.slice(-2_000)}`);
        if (/internal error: |^\s+at .+:\d+:\d+\)?$/m.test(output)) {
          throw new Error(`stack trace: ${output.slice(0, 2_000)}`);
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
  limitMs("command", VOLUME),
);
