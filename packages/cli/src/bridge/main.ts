import { writeSync } from "node:fs";
import { bridge } from "@tenterhook/bridges/bridge";
import { keepCompiled } from "./cached-require.ts";
import { readStdin } from "./read-stdin.ts";

/** The options of `tenterhook bridge`; read by hand, because a tool call waits for this process. */
interface Given {
  readonly client: string;
  readonly event: string;
  readonly entry?: string;
  readonly timeoutMs?: number;
  readonly job?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variables that pinned folders stand for. */
const PINS = {
  "--config-home": "XDG_CONFIG_HOME",
  "--state-home": "XDG_STATE_HOME",
  "--cache-home": "XDG_CACHE_HOME",
  "--home": "HOME",
} as const;

/** What a client starts as its hook: its JSON on standard input, its answer on standard output. */
export async function runBridge(args: readonly string[]): Promise<void> {
  const { job, env, ...given } = readOptions(args);
  if (job !== undefined) return (await import("./run-job.ts")).runJob(job, env);
  const pins = args.filter((_, at) => isPin(args[at]) || isPin(args[at - 1]));
  const answer = await bridge({
    ...given,
    waitingSince: 0,
    stdin: readStdin,
    cwd: workingFolder(),
    env,
    startJob: async (path) => (await import("./start-job.ts")).startJob(path, pins),
  });
  write(2, answer.stderr);
  write(1, answer.stdout);
  keepCompiled();
  // Nothing may keep the client waiting: what still runs is ended with this process.
  process.exit(answer.exit);
}

/** Where compiled code is kept. */
export function cacheFolder(args: readonly string[]): string {
  const { env } = readOptions(args);
  const base = env.XDG_CACHE_HOME?.startsWith("/")
    ? env.XDG_CACHE_HOME
    : `${env.HOME || "/nonexistent"}/.cache`;
  return `${base}/tenterhook`;
}

function readOptions(args: readonly string[]): Given {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) values.set(args[at] ?? "", args[at + 1] ?? "");
  const pinned = Object.entries(PINS).flatMap(([option, name]) => {
    const value = values.get(option);
    return value === undefined ? [] : [[name, value] as const];
  });
  const seconds = Number(values.get("--timeout"));
  const entry = values.get("--entry");
  const job = values.get("--job");
  return {
    client: values.get("--client") ?? "",
    event: values.get("--event") ?? "",
    ...(entry !== undefined && { entry }),
    ...(seconds > 0 && { timeoutMs: seconds * 1_000 }),
    ...(job !== undefined && { job }),
    env: pinned.length === 0 ? process.env : { ...process.env, ...Object.fromEntries(pinned) },
  };
}

function isPin(option: string | undefined): boolean {
  return option !== undefined && Object.hasOwn(PINS, option);
}

/** The folder may have been removed while the agent was in it. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? "/";
  }
}

/** Written whole, also to a pipe that is read slowly; a client that no longer listens is told nothing. */
function write(to: 1 | 2, text: string): void {
  let left = Buffer.from(text);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(to, left));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
    }
  }
}
