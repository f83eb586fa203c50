import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askStatus } from "../daemon/ask-status.ts";
import { ended, type Ran } from "../testing/command-sandbox.ts";
import { ResidentClaude } from "../testing/resident-claude.ts";
import { GuardSandbox } from "../testing/resident-guard.ts";
import { BRIDGE } from "../testing/running-daemon.ts";
import { IS_ROOT, isRefused, unshare } from "../testing/unshare.ts";

const MARK = "caller";
const REFUSED = { code: 2, stderr: `because of ${MARK}\n` };

/** Runs the installed command below another one, which changes what it passes on. */
function callBelow({ claude }: ResidentClaude, words: readonly string[]): Promise<Ran> {
  const [program = "", ...args] = [...words, "/bin/sh", "-c", `exec ${claude.command()}`];
  const { sandbox } = claude;
  const child = spawn(program, args, { cwd: sandbox.project, env: sandbox.env({ MARK }) });
  child.stdin.on("error", () => undefined);
  child.stdin.end(claude.payload("no"));
  return ended(child);
}

async function countCalls({ files }: ResidentClaude): Promise<number> {
  const status = await askStatus(files);
  return status.type === "running" ? status.calls : Number.NaN;
}

/** Sets a filter of system calls that allows everything. Without privileges it needs NoNewPrivs (38). */
const PRCTL = process.arch === "arm64" ? 167 : 157;
const SECCOMP = `my $rule = pack "SCCL", 6, 0, 0, 0x7fff0000; my $filter = pack "Sx6P", 1, $rule;
${IS_ROOT ? "" : `syscall ${PRCTL}, 38, 1, 0, 0, 0;`} syscall(${PRCTL}, 22, 2, $filter) == 0 or die "no filter: $!"; exec @ARGV`;

const CALLERS: Readonly<Record<string, readonly string[]>> = {
  "another umask": ["/bin/sh", "-c", 'umask 0027; exec "$@"', "sh"],
  "another limit of file sizes": ["prlimit", "--fsize=99999744"],
  "another limit of open files": ["prlimit", "--nofile=600:600"],
  "no new privileges": ["setpriv", "--no-new-privs"],
  "a filter of system calls": ["perl", "-e", SECCOMP],
};

const NAMESPACES: Readonly<Record<string, readonly string[]>> = {
  mount: ["--mount"],
  network: ["--net"],
  user: ["--user", "--map-root-user"],
  process: ["--pid", "--fork", "--mount-proc"],
};

describe.runIf(process.platform === "linux")("a caller of the installed command", () => {
  test("with other limits or rights is answered by the cold bridge, and its hooks have its own", async () => {
    const sandbox = new GuardSandbox();
    const resident = await ResidentClaude.start(sandbox);
    const before = await countCalls(resident);
    for (const [name, words] of Object.entries(CALLERS)) {
      expect([name, await callBelow(resident, words)]).toEqual([name, expect.objectContaining(REFUSED)]);
      expect([name, sandbox.asked.parent]).not.toEqual([name, resident.pid]);
      if (name.includes("umask")) expect(sandbox.asked.umask).toBe("0027");
      if (name.includes("file sizes")) expect(sandbox.asked.fileSize).toBe("97656");
      // Between them comes an ordinary one: many unlike callers in a row would end the resident process.
      expect((await resident.ask("no", { MARK })).code).toBe(2);
      expect([name, sandbox.asked.parent]).toEqual([name, resident.pid]);
    }
    expect(await countCalls(resident)).toBeGreaterThanOrEqual(before + Object.keys(CALLERS).length);
  });

  test.each(Object.entries(NAMESPACES))(
    "in another %s namespace, with the same home, is answered by the cold bridge",
    async (_, options) => {
      const words = unshare(options);
      if (isRefused(words)) return;
      const resident = await ResidentClaude.start(new GuardSandbox());
      const { pid } = resident;
      const before = await countCalls(resident);
      expect(await callBelow(resident, words)).toMatchObject(REFUSED);
      expect(await countCalls(resident)).toBe(before);
      expect((await resident.ask("no", { MARK })).code).toBe(2);
      expect(resident.pid).toBe(pid);
    },
  );

  test("in a container that shares the folder does not get a second resident process there", async () => {
    const words = unshare(NAMESPACES.process ?? []);
    if (isRefused(words)) return;
    const resident = await ResidentClaude.start(new GuardSandbox());
    const [program = "", ...args] = [...words, process.execPath, BRIDGE, "daemon", "--folder"];
    const { stderr, code } = await ended(spawn(program, [...args, resident.files.folder]));
    expect([code, stderr]).toEqual([
      1,
      `tenterhook: no resident process: process ${resident.pid} answers already\n`,
    ]);
    expect((await resident.ask("no", { MARK })).code).toBe(2);
  });

  test("with another HOME is answered by the hooks of the home that was installed for", async () => {
    const sandbox = new GuardSandbox();
    const resident = await ResidentClaude.start(sandbox);
    expect(await resident.ask("no", { MARK, HOME: "/nonexistent" })).toMatchObject(REFUSED);
    expect(sandbox.asked.parent).toBe(resident.pid);
  });

  test("is answered by the cold bridge where Perl is gone", async () => {
    const sandbox = new GuardSandbox();
    const resident = await ResidentClaude.start(sandbox);
    const script = join(resident.claude.folder, "hook");
    const text = readFileSync(script, "utf8");
    expect(text).toMatch(/^resident_perl=\//m);
    writeFileSync(script, text.replace(/^resident_perl=.*$/m, "resident_perl=/nonexistent/perl"));
    expect(await resident.claude.call("no", { MARK })).toMatchObject(REFUSED);
    expect(sandbox.asked.parent).not.toBe(resident.pid);
  });
});
