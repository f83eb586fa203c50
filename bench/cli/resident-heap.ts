import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Row } from "../measure.ts";
import { BIN, ClientHome } from "./client-home.ts";

const FEW = 100;
const MANY = 10_000;
const AT_ONCE = 4;
/** Every tenth event starts a hook's script. */
const HOOK_EVERY = 10;
const MAX_GROWTH = 1.1;
/** As the bridge starts it, see `small-memory.ts`. */
const SMALL_MEMORY = ["--max-semi-space-size=1", "--v8-pool-size=1"];

/** Collects garbage at a signal, twice, because finalizers run between; then prints how much of the heap is used. */
const PROBE = `process.on("SIGUSR2", () => {
  gc();
  setTimeout(() => { gc(); console.log("heap", require("node:v8").getHeapStatistics().used_heap_size); }, 100);
});`;

/**
 * What the resident process keeps of the events that it has answered. V8 compiles what runs often, and that code is a part of the heap: so
 * the bar is for a process that compiles nothing, whose growth is that of our own data.
 */
export async function residentHeap(): Promise<Row[]> {
  if (process.platform !== "linux") return [];
  const rows: Row[] = [];
  for (const options of [["--jitless"], []]) {
    const { few, many } = await measureHeap(options);
    rows.push({
      what: `heap of the resident process after ${MANY} events, ${options[0] ?? "with the code that V8 compiles"}`,
      against: `after ${FEW}`,
      ours: many,
      theirs: few,
      unit: "bytes",
      ...(options.length > 0 && { bar: { most: MAX_GROWTH } }),
    });
  }
  return rows;
}

async function measureHeap(options: readonly string[]): Promise<{ few: number; many: number }> {
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
    await answerEvents(home, command, FEW);
    const few = await readHeap(daemon, lines);
    await answerEvents(home, command, MANY);
    return { few, many: await readHeap(daemon, lines) };
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
