import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Row } from "../measure.ts";
import { BIN, ClientHome } from "./client-home.ts";

const FEW = 100;
const MANY = 10_000;
/** V8 compiles what runs often, and most of it by then. */
const WARM_UP = 2_000;
const AT_ONCE = 4;
/** Every tenth event starts a hook's script. */
const HOOK_EVERY = 10;
const MAX_GROWTH = 1.1;
/** As the bridge starts it, see `small-memory.ts`. */
const SMALL_MEMORY = ["--max-semi-space-size=4", "--v8-pool-size=1"];

/** Collects garbage at a signal, twice, because finalizers run between; then prints how much of the heap is used. */
const PROBE = `process.on("SIGUSR2", () => {
  gc();
  setTimeout(() => { gc(); console.log("heap", require("node:v8").getHeapStatistics().used_heap_size); }, 100);
});`;

/**
 * What the resident process keeps of the events that it has answered. The code that V8 compiles is a part of the heap, and so is what it notes
 * of each function for that. So the bars are for a process that compiles nothing, whose growth is that of our own data, and for one that has
 * compiled most of it: after a warm-up, as a process that answers for days. The growth from the beginning is reported beside them.
 */
export async function residentHeap(): Promise<Row[]> {
  if (process.platform !== "linux") return [];
  const [plainFew = 0, plainMany = 0] = await measureHeap(["--jitless"], [FEW, MANY]);
  const [few = 0, warm = 0, many = 0] = await measureHeap([], [FEW, WARM_UP + FEW, WARM_UP + MANY]);
  const row = { unit: "bytes", what: `heap of the resident process after ${MANY} events` } as const;
  const bar = { most: MAX_GROWTH };
  return [
    {
      ...row,
      what: `${row.what}, --jitless`,
      against: `after ${FEW}`,
      ours: plainMany,
      theirs: plainFew,
      bar,
    },
    {
      ...row,
      what: `${row.what} and ${WARM_UP} to warm up`,
      against: `after ${FEW} and those`,
      ours: many,
      theirs: warm,
      bar,
    },
    {
      ...row,
      what: `${row.what} and ${WARM_UP} to warm up`,
      against: `after the first ${FEW}`,
      ours: many,
      theirs: few,
    },
  ];
}

/** How much of the heap is used after each of these numbers of events. `options`: those of Node. */
async function measureHeap(options: readonly string[], counts: readonly number[]): Promise<number[]> {
  const home = new ClientHome();
  let daemon: ChildProcess | undefined;
  try {
    home.setDaemon(true);
    const command = await home.install();
    const probe = join(home.path, "probe.cjs");
    writeFileSync(probe, PROBE);
    const script = readFileSync(join(home.path, ".local", "share", "tenterhook-bridge", "hook"), "utf8");
    const [node = "", bridge = "", folder = ""] = ["node", "bridge", "resident_folder"].map(
      (name) => new RegExp(`^${name}=(.+)$`, "m").exec(script)?.[1],
    );
    const own = ["--expose-gc", "--require", probe, ...options];
    const args = [...SMALL_MEMORY, ...own, bridge, "daemon", "--folder", folder];
    daemon = spawn(node, args, { env: home.env, stdio: ["ignore", "pipe", "ignore"] });
    const lines = createInterface({ input: daemon.stdout as NonNullable<ChildProcess["stdout"]> });
    await once(lines, "line");
    const used: number[] = [];
    for (const count of counts) {
      await answerEvents(home, command, count);
      used.push(await readHeap(daemon, lines));
    }
    return used;
  } finally {
    daemon?.kill("SIGKILL");
    rmSync(home.path, { recursive: true, force: true });
  }
}

/**
 * Calls the installed command until the resident process has answered so many: a busy machine leaves some to the cold bridge. Throws if it
 * answers none.
 */
async function answerEvents(home: ClientHome, command: string, events: number): Promise<void> {
  let answered = countAnswered(home);
  while (answered < events) {
    const left = events - answered;
    let nth = 0;
    const work = async () => {
      while (nth < left) {
        const payload = home.payload(++nth % HOOK_EVERY === 0 ? "deploy" : "ls");
        await home.run("/bin/sh", ["-c", `exec ${command}`], payload, { ...home.env, NTH: String(nth) });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const before = answered;
    answered = countAnswered(home);
    if (answered === before) throw new Error("the resident process answers no calls");
  }
}

function countAnswered({ env, path: cwd }: ClientHome): number {
  const printed = execFileSync(process.execPath, [BIN, "daemon", "status", "--json"], { env, cwd });
  const status = JSON.parse(String(printed)) as { readonly type: string; readonly calls?: number };
  if (status.calls === undefined) throw new Error(`the resident process is ${status.type}`);
  return status.calls;
}

async function readHeap(daemon: ChildProcess, lines: ReturnType<typeof createInterface>): Promise<number> {
  const printed = once(lines, "line");
  daemon.kill("SIGUSR2");
  const [line] = await printed;
  const [, bytes] = /^heap (\d+)$/.exec(String(line)) ?? [];
  if (bytes === undefined) throw new Error(`the resident process printed ${line}`);
  return Number(bytes);
}
