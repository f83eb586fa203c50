import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, onTestFinished, test } from "vitest";
import { SpareProcess } from "./spare-process.ts";

const PERL = "/usr/bin/perl";
const ENV = { PATH: "/usr/bin:/bin" };

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly hasFailed: boolean;
}

function newSpare(perl = PERL): SpareProcess {
  const spare = new SpareProcess(perl);
  onTestFinished(() => void spare.child.kill("SIGKILL"));
  return spare;
}

/** What a spare process does that becomes a program. */
function become(
  command: string,
  args: readonly string[],
  { cwd = tmpdir(), env = ENV as Record<string, string>, input = "", spare = newSpare() } = {},
): Promise<Ended> {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    spare.child[name]?.setEncoding("utf8").on("data", (text: string) => (output[name] += text));
  let hasFailed = false;
  spare.become({ command, args, cwd, env }, () => (hasFailed = true));
  spare.child.stdin?.on("error", () => undefined).end(input);
  return new Promise((resolve) =>
    spare.child.once("close", (code, signal) => resolve({ code, signal, ...output, hasFailed })),
  );
}

/** The same program, as Node starts it. */
function started(command: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile(command, args, { cwd: tmpdir(), env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    ),
  );
}

test("a spare process becomes a program, with its own input, outputs, code and number", async () => {
  const spare = newSpare();
  const script = 'echo "$$ $1 $(cat)"; echo error >&2; exit 3';
  const ended = await become("sh", ["-c", script, "name", "an argument\n"], { input: "text", spare });
  expect(ended).toEqual({
    code: 3,
    signal: null,
    stdout: `${spare.child.pid} an argument\n text\n`,
    stderr: "error\n",
    hasFailed: false,
  });
});

test("a program gets exactly its variables, in their order, whatever their names and values are", async () => {
  const env = {
    ...ENV,
    EMPTY: "",
    LINES: "a\n\nb\n",
    "A.B-C": "x=y=z",
    é: "ü 🐢",
    "BASH_FUNC_f%%": "() { :; }",
    LC_ALL: "xx_XX",
    PERL5OPT: "-Mnone",
  };
  const ended = await become("cat", ["/proc/self/environ"], { env });
  expect(ended.stderr).toBe("");
  expect(ended.stdout).toBe(await started("cat", ["/proc/self/environ"], env));
});

test.runIf(process.platform === "linux")(
  "a program has the open files, signals and limits of one that Node starts, and a session of its own",
  async () => {
    const script =
      "ls /proc/self/fd; grep -E '^(Sig(Blk|Ign)|NoNewPrivs|Umask)' /proc/self/status; cat /proc/self/limits; pwd";
    const ended = await become("sh", ["-c", script]);
    expect(ended.stdout).toBe(await started("sh", ["-c", script], ENV));
    const spare = newSpare();
    const { stdout } = await become("sh", ["-c", "cut -d' ' -f5,6 /proc/$$/stat"], { spare });
    expect(stdout).toBe(`${spare.child.pid} ${spare.child.pid}\n`);
  },
);

test("what cannot be executed, or not in that folder, fails and does not end with 0", async () => {
  const cwd = temporaryFolder();
  const plain = join(cwd, "plain");
  writeFileSync(plain, "#!/bin/sh\nexit 0\n", { mode: 0o644 });
  mkdirSync(join(cwd, "folder"));
  for (const [command, folder] of [
    ["/no/such/program", cwd],
    ["no-such-program", cwd],
    [plain, cwd],
    [join(cwd, "folder"), cwd],
    ["true", join(cwd, "gone")],
  ] as const)
    expect(await become(command, [], { cwd: folder })).toMatchObject({ code: 127, hasFailed: true });
});

test("a long list of variables arrives as a whole", async () => {
  const many = Array.from({ length: 500 }, (_, at) => [`NAME_${at}`, "x".repeat(1_000)] as const);
  const script = 'echo "$(env | wc -c) $NAME_499" | cut -c1-20';
  const { stdout } = await become("sh", ["-c", script], { env: { ...ENV, ...Object.fromEntries(many) } });
  expect(Number(stdout.split(" ")[0])).toBeGreaterThan(500_000);
});

test("a process that cannot be started, or that has ended, is not usable", async () => {
  const gone = new SpareProcess("/no/such/perl");
  await new Promise((resolve) => gone.child.once("error", resolve));
  expect(gone.isUsable).toBe(false);
  const spare = newSpare();
  expect(spare.isUsable).toBe(true);
  spare.child.kill("SIGKILL");
  await new Promise((resolve) => spare.child.once("exit", resolve));
  expect(spare.isUsable).toBe(false);
});

test("it ends when its parent is killed, and does not keep one alive that has nothing to do", async () => {
  const module = new URL("../../dist/process/spare-process.js", import.meta.url).href;
  const host = (rest: string) =>
    `import { SpareProcess } from ${JSON.stringify(module)};
     const { child } = new SpareProcess(${JSON.stringify(PERL)});
     process.stdout.write(String(child.pid)); ${rest}`;
  for (const rest of ["", "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10);"]) {
    const args = ["--input-type=module", "-e", host(rest)];
    const stdout = await new Promise<string>((resolve) =>
      execFile(process.execPath, args, (_, printed) => resolve(printed)),
    );
    expect(Number(stdout)).toBeGreaterThan(0);
    await expect.poll(() => isAlive(Number(stdout))).toBe(false);
  }
});
