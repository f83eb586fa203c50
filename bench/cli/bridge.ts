import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure, median, type Row } from "../measure.ts";
import { BIN, ClientHome, repeated } from "./client-home.ts";

/** The start of a single process varies by a tenth, so a round is several. */
const STARTS = 5;
const ROUNDS = 20;
/** Node 20 takes longer to load what is compiled already than later versions. */
const isNode20 = process.versions.node.startsWith("20.");
const MAX_QUIET = isNode20 ? 1.42 : 1.35;
/** What twenty rules without a script may add. */
const MAX_RULES = 0.1;
/** Of a Node program that only starts the script. */
const MAX_ASKED = isNode20 ? 1.8 : 1.7;
/** The shell that the installed command goes through, and what it sets, on top of the bridge. */
const MAX_INSTALLED = isNode20 ? 1.5 : 1.4;
const SESSION = { CLAUDE_CODE_SESSION_ID: "bench" };
const RULES = 20;
const AT_ONCE = 100;
/** Measured in the same rounds: 1.93 before the process in the background was removed, with it turned off, and 1.80 after. */
const MAX_AT_ONCE = 1.9;

/** What a tool call of a coding agent waits for: against starting Node, and the bare script of a hook. */
export async function bridgeCalls(): Promise<Row[]> {
  const home = new ClientHome();
  const strict = new ClientHome();
  strict.addRules(RULES);
  try {
    const quiet = () => bridge(home, "ls");
    const asked = () => bridge(home, "deploy");
    const ruled = () => bridge(strict, "ls");
    const command = await home.install();
    const throughShell = () => home.run("/bin/sh", ["-c", command], home.payload("ls"));
    // The first calls store a plan.
    for (let nth = 0; nth < 5; nth++) for (const call of [quiet, asked, ruled, throughShell]) await call();
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
        ruled: repeated(ruled),
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
        what: `tenterhook bridge, ${RULES} rules without a script`,
        against: "node -e 0",
        ours: best.ruled,
        theirs: best.node,
        bar: { most: MAX_QUIET + MAX_RULES },
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
    for (const { path } of [home, strict]) rmSync(path, { recursive: true, force: true });
  }
}

/** A hundred calls that come at once: what nineteen of twenty take at most. */
export async function callsAtOnce(): Promise<Row[]> {
  const home = new ClientHome();
  try {
    const bare = starter(home.path, home.script);
    const ours = () => bridge(home, "deploy");
    const theirs = () => home.run(process.execPath, [bare], home.payload("deploy"));
    for (let nth = 0; nth < 5; nth++) await ours();
    const times: Record<"ours" | "theirs", number[]> = { ours: [], theirs: [] };
    for (let round = 0; round < 3; round++) {
      times.ours.push(await slowestOf(ours));
      times.theirs.push(await slowestOf(theirs));
    }
    return [
      {
        what: `${AT_ONCE} calls at once, one shell hook: 95 of 100 within`,
        against: "Node programs that only start its script",
        ours: median(times.ours),
        theirs: median(times.theirs),
        bar: { most: MAX_AT_ONCE },
      },
    ];
  } finally {
    rmSync(home.path, { recursive: true, force: true });
  }
}

function bridge(home: ClientHome, command: string): Promise<void> {
  const args = [BIN, "bridge", "--client", "claude", "--event", "PreToolUse"];
  return home.run(process.execPath, args, home.payload(command), { ...home.env, ...SESSION });
}

async function slowestOf(call: () => Promise<void>): Promise<number> {
  const timed = async () => {
    const start = process.hrtime.bigint();
    await call();
    return Number(process.hrtime.bigint() - start);
  };
  const times = await Promise.all(Array.from({ length: AT_ONCE }, timed));
  return times.toSorted((a, b) => a - b)[Math.floor(AT_ONCE * 0.95) - 1] ?? Number.NaN;
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
