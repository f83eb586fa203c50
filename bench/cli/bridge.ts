import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure, type Row } from "../measure.ts";
import { BIN, ClientHome, repeated } from "./client-home.ts";

/** The start of a single process varies by a tenth, so a round is several. */
const STARTS = 5;
const ROUNDS = 20;
/** docs/decisions/2026-11-16-public-interfaces.md says what these allow for. */
const MAX_QUIET = 1.5;
/** Of a Node program that only starts the script. */
const MAX_ASKED = 2;
/** The shell that the installed command goes through, and what it sets, on top of the bridge. */
const MAX_INSTALLED = 1.6;

/** What a tool call of a coding agent waits for, without a resident process: against starting Node, and the bare script of a hook. */
export async function bridgeCalls(): Promise<Row[]> {
  const home = new ClientHome();
  try {
    home.setDaemon(false);
    const env = { ...home.env, CLAUDE_CODE_SESSION_ID: "bench" };
    const bridge = (command: string) => () =>
      home.run(
        process.execPath,
        [BIN, "bridge", "--client", "claude", "--event", "PreToolUse"],
        home.payload(command),
        env,
      );
    const quiet = bridge("ls");
    const asked = bridge("deploy");
    const command = await home.install();
    const throughShell = () => home.run("/bin/sh", ["-c", command], home.payload("ls"), env);
    // The first calls store a plan.
    for (let nth = 0; nth < 5; nth++) for (const call of [quiet, asked, throughShell]) await call();
    const input = home.payload("deploy");
    const bare = starter(home.path, home.script);
    const best = await measure(
      {
        node: repeated(() => home.run(process.execPath, ["-e", "0"])),
        script: repeated(() => home.run(home.script, [], input)),
        bare: repeated(() => home.run(process.execPath, [bare], input)),
        shell: repeated(() => home.run("/bin/sh", ["-c", `exec '${process.execPath}' -e 0`])),
        quiet: repeated(quiet),
        asked: repeated(asked),
        throughShell: repeated(throughShell),
      },
      { times: STARTS, rounds: ROUNDS },
    );
    return [
      {
        what: "tenterhook bridge, no matching hook",
        against: "node -e 0",
        ours: best.quiet,
        theirs: best.node,
        bar: { most: MAX_QUIET },
      },
      {
        what: "the installed command, no matching hook",
        against: "node -e 0, from a shell",
        ours: best.throughShell,
        theirs: best.shell,
        bar: { most: MAX_INSTALLED },
      },
      {
        what: "tenterhook bridge, one shell hook",
        against: "a Node program that only starts its script",
        ours: best.asked,
        theirs: best.bare,
        bar: { most: MAX_ASKED },
      },
      {
        what: "tenterhook bridge, one shell hook",
        against: "node -e 0, and the bare script",
        ours: best.asked,
        theirs: best.node + best.script,
      },
    ];
  } finally {
    rmSync(home.path, { recursive: true, force: true });
  }
}

/** Writes the least that a program in Node must do: start the script with pipes, and end as it did. */
function starter(home: string, script: string): string {
  const path = join(home, "starter.cjs");
  const lines = [
    `const child = require("node:child_process").spawn(${JSON.stringify(script)}, { detached: true });`,
    'child.stdin.end("{}");',
    'child.once("close", (code) => process.exit(code));',
  ];
  writeFileSync(path, lines.join("\n"));
  return path;
}
