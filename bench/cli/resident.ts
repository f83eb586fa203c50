import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { measure, median, type Row } from "../measure.ts";
import { BIN, ClientHome, repeated } from "./client-home.ts";

/** The start of a single process varies by a tenth, so a round is several. */
const STARTS = 5;
const ROUNDS = 20;
/** What asking the resident process may take, in parts of `node -e 0`. */
const MAX_RESIDENT = 0.25;
/** What a hook's script may take in it, against the bare script. */
const MAX_SCRIPT = 1.15;
/** The shell that the installed command goes through, on top of the bridge. */
const MAX_COLD = 1.3;
/** The two processes of the installed command, with nothing to do: what is left of its bar is for all that it does. */
const ONLY_STARTS = "perl -e 0 & wait $!";
const AT_ONCE = 100;
/** V8 compiles a function when it has run some hundred times: a resident process answers more calls than that. */
const WARM_CALLS = 300;

/** The script that `install` writes, answered by a resident process, and without one. */
export async function residentCalls(): Promise<Row[]> {
  if (process.platform !== "linux") return [];
  const [resident, cold] = await Promise.all([residentHome(), coldHome()]);
  try {
    for (let nth = 0; nth < WARM_CALLS; nth++) await resident.call("deploy");
    for (let nth = 0; nth < 5; nth++) for (const call of [cold.call, cold.bridge]) await call("ls");
    const { home } = resident;
    const best = await measure(
      {
        node: repeated(() => home.run(process.execPath, ["-e", "0"])),
        script: repeated(() => home.run(home.script, [], home.payload("deploy"))),
        quiet: repeated(() => resident.call("ls")),
        asked: repeated(() => resident.call("deploy")),
        starts: repeated(() => home.run("/bin/sh", ["-c", ONLY_STARTS])),
        cold: repeated(() => cold.call("ls")),
        bridge: repeated(() => cold.bridge("ls")),
      },
      { times: STARTS, rounds: ROUNDS },
    );
    return [
      {
        what: "the installed command, resident, no matching hook",
        against: "node -e 0",
        ours: best.quiet,
        theirs: best.node,
        bar: { most: MAX_RESIDENT },
      },
      {
        what: "a shell that starts Perl in the background, and waits for it",
        against: "node -e 0",
        ours: best.starts,
        theirs: best.node,
      },
      {
        what: "the installed command, resident, one shell hook",
        against: `${MAX_RESIDENT}x node -e 0, and ${MAX_SCRIPT}x the bare script`,
        ours: best.asked,
        theirs: MAX_RESIDENT * best.node + MAX_SCRIPT * best.script,
        bar: { most: 1 },
      },
      {
        what: "the installed command without a resident process",
        against: "the cold bridge",
        ours: best.cold,
        theirs: best.bridge,
        bar: { most: MAX_COLD },
      },
    ];
  } finally {
    await Promise.all([resident, cold].map(({ home }) => remove(home)));
  }
}

/** A hundred calls that come at once: what nineteen of twenty take at most. */
export async function callsAtOnce(): Promise<Row[]> {
  if (process.platform !== "linux") return [];
  const [resident, cold] = await Promise.all([residentHome(), coldHome()]);
  try {
    const times: Record<"resident" | "cold", number[]> = { resident: [], cold: [] };
    for (let round = 0; round < 3; round++) {
      times.resident.push(await slowestOf(() => resident.call("deploy")));
      times.cold.push(await slowestOf(() => cold.call("deploy")));
    }
    return [
      {
        what: `${AT_ONCE} calls at once, resident: 95 of 100 within`,
        against: "the same without a resident process",
        ours: median(times.resident),
        theirs: median(times.cold),
        bar: { most: 1 },
      },
    ];
  } finally {
    await Promise.all([resident, cold].map(({ home }) => remove(home)));
  }
}

interface MeasuredHome {
  readonly home: ClientHome;
  /** Runs the installed script. */
  readonly call: (command: string) => Promise<void>;
  /** Runs the bridge that the script would start. */
  readonly bridge: (command: string) => Promise<void>;
}

/** An installation whose resident process runs. */
async function residentHome(): Promise<MeasuredHome> {
  const measured = await installed(new ClientHome());
  const { home, call } = measured;
  await call("deploy");
  // It is started after the answer of the first call.
  for (;;) {
    try {
      await home.run("/bin/sh", [
        "-c",
        'for path in run/tenterhook/*/socket; do [ -S "$path" ] || exit 1; done',
      ]);
      return measured;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** One whose script would ask a resident process, and where none can start. */
async function coldHome(): Promise<MeasuredHome> {
  const home = new ClientHome();
  mkdirSync(join(home.path, "run", "tenterhook"), { mode: 0o755 });
  return installed(home);
}

async function installed(home: ClientHome): Promise<MeasuredHome> {
  home.setDaemon(true);
  const [script = "", ...args] = (await home.install()).split(" ");
  return {
    home,
    call: (command) => home.run(script, args, home.payload(command)),
    bridge: (command) => home.run(process.execPath, [BIN, "bridge", ...args], home.payload(command)),
  };
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

async function remove(home: ClientHome): Promise<void> {
  await home.run(process.execPath, [BIN, "uninstall"]);
  rmSync(home.path, { recursive: true, force: true });
}
