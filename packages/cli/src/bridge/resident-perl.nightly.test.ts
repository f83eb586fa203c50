import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, ended, type Ran } from "../testing/command-sandbox.ts";
import { ResidentClaude } from "../testing/resident-claude.ts";
import { GuardSandbox } from "../testing/resident-guard.ts";
import { isRefused, unshare } from "../testing/unshare.ts";

const PERL = "/usr/bin/perl";
const HIDE = `mount --bind /dev/null ${PERL} && exec "$@"`;

/** Runs a program of the sandbox where Perl is a file that cannot be started. */
function runWithoutPerl(sandbox: GuardSandbox, line: readonly string[], input = ""): Promise<Ran> {
  const [program = "", ...args] = [...unshare(["--mount"]), "/bin/sh", "-c", HIDE, "sh", ...line];
  sandbox.addPrograms(["claude"]);
  const PATH = `${dirname(process.execPath)}:/usr/bin:/bin:/usr/sbin:/sbin:${sandbox.programs}`;
  const child = spawn(program, args, { cwd: sandbox.project, env: sandbox.env({ PATH }) });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return ended(child);
}

const runCommand = (sandbox: GuardSandbox, ...args: readonly string[]) =>
  runWithoutPerl(sandbox, [process.execPath, BIN, ...args]);

describe.runIf(process.platform === "linux" && existsSync(PERL))("without Perl", () => {
  test("install writes a script that starts Node at every call, and doctor says so", async () => {
    if (isRefused(unshare(["--mount"]))) return;
    const sandbox = new GuardSandbox();
    sandbox.turnDaemonOn();
    expect(await runCommand(sandbox, "install", "claude")).toMatchObject({ code: 0, stderr: "" });
    const { code, stdout } = await runCommand(sandbox, "doctor");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("every call starts Node: there is no perl in the PATH"),
    ]);
    expect((await runCommand(sandbox, "daemon", "status")).stdout).toContain("uses no resident process");
  });

  test("a script that was installed with it starts Node, and doctor says that Perl is gone", async () => {
    if (isRefused(unshare(["--mount"]))) return;
    const sandbox = new GuardSandbox();
    const { claude } = await ResidentClaude.start(sandbox);
    const call = ["/bin/sh", "-c", claude.command()];
    expect(await runWithoutPerl(sandbox, call, claude.payload("no"))).toMatchObject({ code: 2 });
    const { code, stdout } = await runCommand(sandbox, "doctor");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`every call starts Node: perl is gone from ${PERL}`),
    ]);
  });
});
