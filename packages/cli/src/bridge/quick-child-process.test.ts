import { type ChildProcess, spawn as nodes, type SpawnOptions } from "node:child_process";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { QuickChild } from "./quick-child.ts";
import { spawn } from "./quick-child-process.ts";

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  start: typeof spawn,
  command: string,
  args: readonly string[],
  { input = "", ...options }: SpawnOptions & { readonly input?: string } = {},
): Promise<Ended> {
  const child: ChildProcess = start(command, args, { cwd: tmpdir(), detached: true, ...options });
  const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk: Buffer) => void printed[name].push(chunk));
  let exit: Pick<Ended, "code" | "signal"> = { code: null, signal: null };
  child.once("exit", (code, signal) => {
    exit = { code, signal };
  });
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () =>
      resolve({
        ...exit,
        stdout: Buffer.concat(printed.stdout).toString(),
        stderr: Buffer.concat(printed.stderr).toString(),
      }),
    );
  });
}

const shell = (script: string) => ["sh", ["-c", script]] as const;

test("a process is started without Node's own streams where that is possible", () => {
  const child = spawn("true", [], { cwd: tmpdir(), detached: true });
  expect(child).toBeInstanceOf(QuickChild);
});

test.each<[string, readonly [string, readonly string[]], (SpawnOptions & { readonly input?: string })?]>([
  ["that prints on both outputs", shell("echo out; echo err >&2; exit 3")],
  ["that reads all of its input", shell("cat"), { input: "żółć\n".repeat(300_000) }],
  ["that ends before it has read its input", shell("exit 2"), { input: "x".repeat(3_000_000) }],
  [
    "that closes its input and continues",
    shell("exec <&-; sleep 0.1; echo on"),
    { input: "x".repeat(3_000_000) },
  ],
  ["that closes its outputs before it ends", shell("exec >&- 2>&-; sleep 0.1; exit 5")],
  ["that a signal ends", shell("kill -TERM $$")],
  [
    "with an environment of its own",
    shell('echo "$A $B"; env | wc -l'),
    { env: { A: "1 2", B: "=", PATH: "/bin:/usr/bin" } },
  ],
  ["in another folder", shell("pwd"), { cwd: "/" }],
  ["that prints a lot", shell("head -c 5000000 /dev/zero | tr '\\0' x")],
])("a process %s ends as Node's own does", async (_, [command, args], options) => {
  expect(await run(spawn, command, args, options)).toEqual(await run(nodes, command, args, options));
});

test.each<[string, string, readonly string[], SpawnOptions?]>([
  ["a program that is not there", "/no/such/program", []],
  ["a file that is no program", "/etc/passwd", []],
  ["a folder that is not there", "true", [], { cwd: "/no/such/folder" }],
  ["a zero byte in the name", "tr\0ue", []],
  ["a zero byte in an argument", "true", ["a\0b"]],
  ["a zero byte in the environment", "true", [], { env: { A: "a\0b" } }],
  ["more arguments than the system takes", "true", ["x".repeat(3_000_000)]],
])("%s is reported as Node reports it", async (_, command, args, options) => {
  const failure = (start: typeof spawn) =>
    new Promise((resolve) => {
      resolve(run(start, command, args, options));
    }).then(
      () => "it was started",
      ({ code, message }: NodeJS.ErrnoException) => ({ code, message }),
    );
  const given = await failure(spawn);
  expect(given).toEqual(await failure(nodes));
  expect(given).not.toBe("it was started");
});

test("a process leads a group of its own", async () => {
  const { stdout } = await run(spawn, ...shell("echo $$; ps -o pgid= -p $$"));
  const [pid, group] = stdout.trim().split(/\s+/);
  expect(group).toBe(pid);
});
