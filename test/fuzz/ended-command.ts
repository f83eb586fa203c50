import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { TooSlow } from "./fuzz.ts";

const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/bin/tenterhook.js", import.meta.url));
/** The time limit of a command, for a busy machine. */
const MAX_MS = 30_000;

/** How a process has ended, and what it has printed to both outputs. */
export interface EndedCommand {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

interface CommandOptions {
  /** Its home and its working folder. */
  readonly cwd: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** It is sent SIGTERM after this time. */
  readonly terminateMs?: number;
}

/** Runs the built command to its end. Throws when it prints a stack trace. */
export async function endedCommand(args: readonly string[], options: CommandOptions): Promise<EndedCommand> {
  const ended = await run(args, options);
  if (/internal error: |^\s+at .+:\d+:\d+\)?$/m.test(ended.output))
    throw new Error(`stack trace: ${ended.output.slice(0, 2_000)}`);
  return ended;
}

function run(
  args: readonly string[],
  { cwd, variables, terminateMs = MAX_MS }: CommandOptions,
): Promise<EndedCommand> {
  return new Promise((resolve, reject) => {
    // Nothing listens at that address.
    const access = { TENTERHOOK_URL: "http://127.0.0.1:9", TENTERHOOK_TOKEN: "none" };
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, ...access, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: MAX_MS,
      killSignal: "SIGKILL",
    });
    let output = "";
    const terminate = setTimeout(() => child.kill("SIGTERM"), terminateMs);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(terminate);
      if (signal === "SIGKILL")
        reject(new TooSlow(`it did not end within ${MAX_MS} ms: ${output.slice(-2_000)}`));
      else resolve({ code, signal, output });
    });
  });
}
