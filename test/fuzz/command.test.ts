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
const MOST_MS = 30_000;

/** Those that end by themselves. */
const COMMANDS = [
  "init list check test explain try trust log prompt run run-agent resume runs agents approvals token help --version",
  "",
].flatMap((words) => words.split(" "));

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
  words: fc
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
    .map(([verb, rest]) => [verb, ...rest].map((word) => word.replaceAll("\0", ""))),
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

function ended(words: readonly string[], cwd: string): Promise<Ended> {
  // An argument of a program has a limit of its own.
  const args = words.map((word) => writeOut(word).slice(0, 100_000));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: cwd,
        // Nothing listens there.
        TENTERHOOK_URL: "http://127.0.0.1:9",
        TENTERHOOK_TOKEN: "none",
      },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: MOST_MS,
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

test(
  "whatever arguments and files the command is given, it ends with 0, 1 or 2 and shows no stack trace",
  async () => {
    await fuzz("command", VOLUME, invocation, async ({ words, file }) => {
      const folder = await mkdtemp(join(tmpdir(), "tenterhook-fuzz-"));
      try {
        await writeFile(join(folder, "file.json"), writeOut(file));
        const { code, output } = await ended(words, folder);
        if (![0, 1, 2].includes(code ?? -1))
          throw new Error(`it ended with ${code}: ${output.slice(-2_000)}`);
        if (/internal error: |^\s+at .+:\d+:\d+\)?$/m.test(output)) {
          throw new Error(`it shows a stack: ${output.slice(0, 2_000)}`);
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
  limitMs("command", VOLUME),
);
