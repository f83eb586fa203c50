import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure, type Row } from "../measure.ts";
import { BIN, repeated } from "./client-home.ts";

/** Twice as many as the log keeps, so that starting the command counts less. */
const LINES = 200_000;
const ROUNDS = 3;
const MAX_ALL = 2;
const MAX_RECENT = 0.8;

/** What reading the decision log takes, against a program that reads its lines with Node's readline and parses each. */
export async function insightsOfLog(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  try {
    const state = join(home, ".local", "state", "tenterhook");
    mkdirSync(state, { recursive: true });
    const log = join(state, "audit.jsonl");
    writeLog(log);
    const floor = join(home, "floor.mjs");
    writeFileSync(floor, FLOOR);
    const start =
      (...args: readonly string[]) =>
      () =>
        run(home, args);
    const best = await measure(
      {
        floor: repeated(start(floor, log)),
        all: repeated(start(BIN, "log", "--summary")),
        recent: repeated(start(BIN, "log", "--summary", "--since", "1h")),
      },
      { times: 1, rounds: ROUNDS },
    );
    const against = "readline, and JSON.parse of each line";
    return [
      {
        what: `tenterhook log --summary, ${LINES.toLocaleString("en")} records`,
        against,
        ours: best.all,
        theirs: best.floor,
        bar: { most: MAX_ALL },
      },
      {
        what: "tenterhook log --summary --since 1h, of the same log",
        against,
        ours: best.recent,
        theirs: best.floor,
        bar: { most: MAX_RECENT },
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const FLOOR = `import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
let entries = 0;
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) entries += JSON.parse(line).entries.length;
if (entries === 0) process.exit(1);
`;

/** Records of six days, as a bridge writes them: three hooks at each call. */
function writeLog(path: string): void {
  const file = openSync(path, "w");
  const began = Date.now() - 6 * 86_400_000;
  for (let index = 0; index < LINES; index++) {
    const record = {
      ...{ time: new Date(began + (index / LINES) * 6 * 86_400_000).toISOString(), client: "claude" },
      ...{
        native_event: "PreToolUse",
        session_id: `session-${index % 50}`,
        project: "/home/ana/work/project",
      },
      ...{
        native_tool: "Bash",
        reported: "nothing",
        duration_ms: 40,
        event: "before_tool",
        tool_name: "Shell",
      },
      ...{ subject: "git status && ls -la packages", outcome: "proceed", action: "go_on" },
      entries: ["no-force-push", "secrets-guard", "format-on-save"].map((hook, nth) => ({
        ...{ hook, verdict: index % 100 === nth ? "block" : "proceed", duration_ms: 3.456789 + (index % 40) },
      })),
    };
    writeSync(file, `${JSON.stringify(record)}\n`);
  }
  closeSync(file);
}

function run(home: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? "", HOME: home };
    spawn(process.execPath, args, { env, cwd: home, stdio: ["ignore", "ignore", "inherit"] })
      .once("error", reject)
      .once("exit", (code) =>
        code === 0 ? resolve() : reject(new Error(`node ${args.join(" ")} ended with ${code}`)),
      );
  });
}
