import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export interface ExampleEnd {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What it left behind in the folder for temporary files. */
  readonly leftBehind: readonly string[];
}

/** Runs the built example in its own process; `interrupted` is when Ctrl-C is sent. */
export async function runExample(
  name: string,
  env: Readonly<Record<string, string>> = {},
  interrupted?: Promise<unknown>,
): Promise<ExampleEnd> {
  const program = fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
  const temp = await mkdtemp(join(tmpdir(), "example-test-"));
  try {
    const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL, FORCE_COLOR, ...rest } = process.env;
    const child = spawn(process.execPath, [program], {
      env: { ...rest, NO_COLOR: "1", TMPDIR: temp, TEMP: temp, TMP: temp, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    void interrupted?.then(() => child.kill("SIGINT"));
    const exit = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
    return { exitCode, stdout, stderr, leftBehind: await readdir(temp) };
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}
