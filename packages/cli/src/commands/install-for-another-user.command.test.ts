import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, CommandSandbox, ended, type Ran } from "../testing/command-sandbox.ts";

/** Root installs for another user here. Any other user installs for themselves, and must find the same. */
const OWN = process.getuid?.() ?? 0;
const USER = OWN === 0 ? 65_534 : OWN;

const ALL = ["claude", "codex", "gemini", "qwen", "copilot", "kimi", "droid", "cline", "opencode"];

/** A home that belongs to the user, in a folder that everyone may enter. */
function homeOfUser(): CommandSandbox {
  const sandbox = new CommandSandbox();
  chmodSync(sandbox.root, 0o755);
  const group = process.getgid?.() ?? USER;
  execFileSync("chown", ["-R", `${USER}:${group}`, "home", "project"], { cwd: sandbox.root });
  return sandbox;
}

function asUser(
  sandbox: CommandSandbox,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: sandbox.project,
    // The coding agents are found by doctor.
    env: { ...sandbox.env(env), PATH: `/usr/bin:/bin:${sandbox.programs}` },
    ...(OWN === 0 && { uid: USER, gid: process.getgid?.() ?? USER }),
  });
  child.stdin.end();
  return ended(child);
}

/** What below a folder does not belong to the user. */
function foreign(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => lstatSync(path).uid !== USER);
}

test("what root installs in the HOME of another user belongs to that user, who can use it", async () => {
  const sandbox = homeOfUser();
  const ran = await sandbox.run(["install", "--rules", "self", ...ALL], { env: { SUDO_USER: "nobody" } });
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  expect(foreign(sandbox.home)).toEqual([]);
  const { stdout, code } = await asUser(sandbox, ["doctor"]);
  expect([stdout, code]).toEqual([expect.stringContaining("Nothing is wrong."), 0]);
  const project = await sandbox.run(["install", "--project", "claude"]);
  expect([project.code, foreign(sandbox.project), foreign(sandbox.home)]).toEqual([0, [], []]);
  expect((await asUser(sandbox, ["uninstall"])).code).toBe(0);
});

test("a file that exists keeps its owner and its mode", async () => {
  const sandbox = homeOfUser();
  const file = sandbox.write(join(sandbox.home, ".claude", "settings.json"), "{}\n", 0o664);
  expect((await sandbox.run(["install", "claude"])).code).toBe(0);
  const { uid, mode } = statSync(file);
  expect([uid, mode & 0o777]).toEqual([OWN, 0o664]);
  expect(sandbox.read(file)).toContain("tenterhook-bridge");
});

test("folders outside HOME that XDG variables name belong to the owner of HOME too", async () => {
  const sandbox = homeOfUser();
  const elsewhere = join(sandbox.root, "elsewhere");
  mkdirSync(elsewhere);
  const env = {
    XDG_DATA_HOME: join(elsewhere, "data"),
    XDG_STATE_HOME: join(elsewhere, "deep", "state"),
    XDG_CONFIG_HOME: join(elsewhere, "config"),
  };
  expect((await sandbox.run(["install", "claude", "--rules", "self"], { env })).code).toBe(0);
  expect(foreign(elsewhere)).toEqual([]);
  expect((await asUser(sandbox, ["doctor"], env)).stdout).toContain("Nothing is wrong.");
});

test.each([0o000, 0o077])(
  "with the umask %s the user can use it, and nobody else can change it",
  async (umask) => {
    const sandbox = homeOfUser();
    sandbox.addPrograms(["claude", "cline"]);
    const child = spawn(
      "/bin/sh",
      [
        "-c",
        `umask ${umask.toString(8)}; exec "$@"`,
        "sh",
        process.execPath,
        BIN,
        "install",
        "claude",
        "cline",
      ],
      { cwd: sandbox.project, env: sandbox.env() },
    );
    child.stdin.end();
    expect((await ended(child)).code).toBe(0);
    const open = readdirSync(sandbox.home, { recursive: true })
      .map((name) => join(sandbox.home, String(name)))
      .filter((path) => (lstatSync(path).mode & 0o022) !== 0);
    expect(open).toEqual([]);
    expect((await asUser(sandbox, ["doctor"])).stdout).toContain("Nothing is wrong.");
  },
);

test("root is told when the user could not start node", async () => {
  const sandbox = homeOfUser();
  const hidden = join(sandbox.root, "hidden");
  mkdirSync(hidden, { mode: 0o700 });
  const node = join(hidden, "node");
  // By another process: one that this process starts meanwhile would keep a file open that it writes itself.
  execFileSync("cp", [process.execPath, node]);
  const child = spawn(node, [BIN, "install", "claude"], { cwd: sandbox.project, env: sandbox.env() });
  child.stdin.end();
  const { code, stderr } = await ended(child);
  const isOther = OWN === 0;
  expect([code, stderr]).toEqual(
    isOther
      ? [1, expect.stringMatching(/could not use the hook: .*EACCES.*Run install as that user/)]
      : [0, ""],
  );
  expect(existsSync(join(sandbox.home, ".claude", "settings.json"))).toBe(!isOther);
});
