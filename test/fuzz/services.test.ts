import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { test } from "vitest";
import { type EndedCommand, endedCommand } from "./ended-command.ts";
import { fuzz, limitMs, type Volume } from "./fuzz.ts";
import { oddJson, oddNumber, oddText, writeOut } from "./odd-values.ts";

const VOLUME: Volume = { short: 4, share: 0.001, atOnce: 4, eachMs: 10_000 };
/** A process that is still running after this time is ended. */
const SETTLED_MS = 1_500;

const OPTIONS = [
  "--port --host --data --allow-host --allow-variable --allow-private --json",
  "--url --token --token-file --name --tags --concurrency --config",
  "--follow --run --session --agent --type --after --no-such --",
].flatMap((line) => line.split(" "));

// Not LANG: Node itself crashes at LANG=missing/data, before it runs any program.
const VARIABLES = [
  "DATABASE_URL",
  "TENTERHOOK_URL",
  "TENTERHOOK_TOKEN",
  "TENTERHOOK_STATE_DIR",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "XDG_CONFIG_HOME",
  "HTTP_PROXY",
  "TZ",
  "NO_COLOR",
];

const value = fc
  .oneof(
    oddText,
    oddNumber.map(String),
    oddJson.map((each) => JSON.stringify(each)),
    fc.constantFrom(
      "0",
      "data",
      "file.json",
      "missing/data",
      "http://127.0.0.1:9",
      "postgres://127.0.0.1:9/none",
    ),
  )
  // Arguments and variables cannot contain NUL.
  .map((text) => text.replaceAll("\0", ""));

const invocation = fc.record({
  command: fc.constantFrom("up", "serve", "runners start", "events"),
  args: fc.array(fc.oneof(fc.constantFrom(...OPTIONS), value), { maxLength: 4 }),
  variables: fc.array(fc.tuple(fc.constantFrom(...VARIABLES), value), { maxLength: 2 }),
  file: fc.oneof(
    oddJson.map((each) => JSON.stringify(each)),
    oddText,
  ),
});

const isExpected = ({ code, signal }: EndedCommand) =>
  [0, 1, 2, 143].includes(code ?? -1) || signal === "SIGTERM";

test(
  "up, serve, runners start and events with random arguments and variables end on SIGTERM without a stack trace",
  async () => {
    await fuzz("services", VOLUME, invocation, async ({ command, args, variables, file }) => {
      const cwd = await mkdtemp(join(tmpdir(), "tenterhook-fuzz-"));
      try {
        await writeFile(join(cwd, "file.json"), writeOut(file));
        const short = (text: string) => writeOut(text).slice(0, 30_000);
        const port = command === "up" || command === "serve" ? ["--port", "0"] : [];
        const end = await endedCommand([...command.split(" "), ...port, ...args.map(short)], {
          cwd,
          variables: Object.fromEntries(variables.map(([name, each]) => [name, short(each)])),
          terminateMs: SETTLED_MS,
        });
        if (!isExpected(end))
          throw new Error(`it ended with ${end.code ?? end.signal}: ${end.output.slice(-2_000)}`);
      } finally {
        await rm(cwd, { recursive: true, force: true });
      }
    });
  },
  limitMs("services", VOLUME),
);
