import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox, type Ran } from "../testing/command-sandbox.ts";
import { InstalledClaude } from "../testing/installed-claude.ts";

const PLAIN = { NO_COLOR: "1" };
const AGAIN = "---\nname: no-nuke\ndescription: Refuses a nuke\ntrigger: before_tool\n";
const NUKE = `${AGAIN}matcher: { tool: Shell, pattern: nuke }\non_error: block\naction: block\nreason: never\nmetadata: { group: ours }\n---\n`;

function lockOf(root: string): Record<string, Record<string, unknown>> {
  return JSON.parse(readFileSync(join(root, "hooks.lock"), "utf8")).rules;
}

/** What is left of what was fetched. */
function leftovers(sandbox: CommandSandbox): readonly string[] {
  const folder = join(sandbox.state, "rules");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const beside = existsSync(sandbox.userHooks) ? readdirSync(join(sandbox.userHooks, "..")) : [];
  return [...names.filter((name) => name !== "compare"), ...beside.filter((name) => name !== "hooks")];
}

/** A folder with one rule. */
function ruleFolder(sandbox: CommandSandbox, text = NUKE): string {
  const folder = join(sandbox.root, "theirs", "no-nuke");
  sandbox.write(join(folder, "HOOK.md"), text);
  return folder;
}

function add(sandbox: CommandSandbox, ...args: readonly string[]): Promise<Ran> {
  return sandbox.onTerminal(["rules", "add", ...args], ["y"], PLAIN);
}

describe("rules add", () => {
  test("shows the rules of a group, writes them after a yes, and hooks.lock says where they came from", async () => {
    const sandbox = new CommandSandbox();
    const refused = await sandbox.onTerminal(["rules", "add", "self"], ["n"], PLAIN);
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
    expect([existsSync(sandbox.userHooks), leftovers(sandbox)]).toEqual([false, []]);
    const { code, stdout } = await add(sandbox, "self");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\+ self-files .*Written: \d+ rules/s)]);
    expect(lockOf(sandbox.userHooks)["self-files"]).toEqual({
      source: "tenterhook",
      commit: expect.stringMatching(/^\d/),
      group: "self",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(leftovers(sandbox)).toEqual([]);
    const again = await add(sandbox, "self-files");
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("self-files is there already")]);
  });

  test("of others is shown with its script, and refuses in a coding agent that was installed before", async () => {
    const sandbox = new CommandSandbox();
    const claude = await InstalledClaude.install(sandbox);
    const folder = ruleFolder(sandbox, NUKE.replace("action: block\nreason: never\n", ""));
    sandbox.write(join(folder, "scripts", "run.sh"), "#!/bin/sh\necho no nukes >&2; exit 2\n", 0o755);
    const { code, stdout } = await add(sandbox, folder);
    expect([code, stdout]).toEqual([0, expect.stringContaining("│ echo no nukes >&2; exit 2")]);
    expect(await claude.call("nuke")).toMatchObject({ code: 2, stderr: "no nukes\n" });
    const listed = await sandbox.run(["rules"]);
    expect(listed.stdout).toMatch(/no-nuke +enforced {2}1 blocked/);
  });

  test("with --observe records only, and without it enforces what was observed", async () => {
    const sandbox = new CommandSandbox();
    const claude = await InstalledClaude.install(sandbox);
    const folder = ruleFolder(sandbox);
    await add(sandbox, folder, "--observe");
    expect(sandbox.read(join(sandbox.userHooks, "no-nuke", "HOOK.md"))).toContain("---\nenforce: false\n");
    expect((await claude.call("nuke")).code).toBe(0);
    expect((await sandbox.run(["rules"])).stdout).toMatch(/no-nuke +observed {2}1 would have/);
    expect((await add(sandbox, folder)).code).toBe(0);
    expect(sandbox.read(join(sandbox.userHooks, "no-nuke", "HOOK.md"))).toBe(NUKE);
    expect((await claude.call("nuke")).code).toBe(2);
    // To observe it again is less, and a person has agreed: it is not missed.
    await add(sandbox, folder, "--observe");
    expect((await claude.call("nuke")).code).toBe(0);
  });

  test("for a project trusts what was shown, and names a source inside of the project as others find it", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(join(sandbox.project, "rules", "no-nuke", "HOOK.md"), NUKE);
    expect((await add(sandbox, "rules", "--project")).code).toBe(0);
    expect(lockOf(sandbox.projectHooks)["no-nuke"]).toMatchObject({ source: "rules/no-nuke", group: "ours" });
    expect((await sandbox.run(["list"])).stdout).toMatch(/no-nuke.*trusted/);
    expect((await sandbox.run(["rules"])).stdout).toMatch(/no-nuke +enforced, project/);
  });

  test("keeps a hook of that name which is not from there, and says so", async () => {
    const sandbox = new CommandSandbox();
    const own = sandbox.hook("no-nuke", { scope: "user", script: "exit 0" });
    const before = sandbox.read(join(own, "HOOK.md"));
    const { code, stdout } = await add(sandbox, ruleFolder(sandbox));
    expect([code, stdout]).toEqual([1, expect.stringContaining("no-nuke is not as it was installed")]);
    expect(sandbox.read(join(own, "HOOK.md"))).toBe(before);
    renameSync(own, join(sandbox.userHooks, "elsewhere"));
    const taken = await add(sandbox, ruleFolder(sandbox));
    expect([taken.code, taken.stdout]).toEqual([1, expect.stringContaining("is the name of another hook")]);
    expect(existsSync(own)).toBe(false);
  });

  test("takes nothing from a folder with a link, a pipe, too many files, or a broken HOOK.md", async () => {
    const sandbox = new CommandSandbox();
    const spoil: readonly [why: RegExp, spoil: (folder: string) => void][] = [
      [/is a link/, (folder) => symlinkSync("/etc/passwd", join(folder, "data"))],
      [/is a link/, (folder) => symlinkSync("HOOK.md", join(folder, "data"))],
      [/neither a file nor a folder/, (folder) => execFileSync("mkfifo", [join(folder, "data")])],
      [/more than/, (folder) => sandbox.write(join(folder, "data"), "x".repeat(3_000_000))],
      [/cannot be used/, (folder) => sandbox.write(join(folder, "HOOK.md"), "---\nname: x\n---\n")],
    ];
    for (const [why, change] of spoil) {
      const folder = ruleFolder(sandbox);
      sandbox.write(join(folder, "..", "good", "HOOK.md"), NUKE.replace("no-nuke", "good"));
      change(folder);
      const { code, stdout } = await add(sandbox, join(folder, ".."));
      expect([code, stdout]).toEqual([1, expect.stringMatching(why)]);
      rmSync(folder, { recursive: true });
      expect([existsSync(sandbox.userHooks), leftovers(sandbox)]).toEqual([false, []]);
    }
  });

  test.each(["add", "remove", "update"])(
    "%s is refused inside an agent, and without a terminal",
    async (verb) => {
      const sandbox = new CommandSandbox();
      const args = ["rules", verb, "self"];
      const inside = await sandbox.onTerminal(args, ["y"], { ...PLAIN, CLAUDECODE: "1" });
      expect([inside.code, inside.stdout]).toEqual([1, expect.stringContaining("REFUSED")]);
      const piped = await sandbox.run(args, { input: "y\n" });
      expect([piped.code, piped.stderr]).toEqual([1, expect.stringContaining("REFUSED")]);
      expect(existsSync(sandbox.userHooks)).toBe(false);
    },
  );

  test("a name that means nothing gets a suggestion", async () => {
    const { code, stdout } = await add(new CommandSandbox(), "saftey");
    expect([code, stdout]).toEqual([1, expect.stringContaining("Did you mean safety?")]);
  });
});

/** A repository with a rule, and an `ssh` that runs git's own server for it. */
function served(sandbox: CommandSandbox) {
  const repository = join(sandbox.root, "served");
  mkdirSync(repository);
  const git = (...args: readonly string[]) => {
    const author = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always"];
    const options = { cwd: repository, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", [...author, ...args], options).trim();
  };
  git("init", "--quiet");
  sandbox.write(join(repository, "rules", "no-nuke", "HOOK.md"), NUKE);
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--message", "x");
    return git("rev-parse", "HEAD");
  };
  sandbox.write(
    join(sandbox.root, "ssh", "ssh"),
    '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n',
    0o755,
  );
  const env = { ...PLAIN, PATH: `${join(sandbox.root, "ssh")}:${process.env.PATH}` };
  const rules = (...args: readonly string[]) => sandbox.onTerminal(["rules", ...args], ["y"], env);
  return { repository, git, commit, rules, address: `ssh://host${repository}` };
}

describe("rules from a git repository", () => {
  test("are fetched, shown, and updated to its next commit; one that is no longer there is kept", async () => {
    const sandbox = new CommandSandbox();
    const { repository, commit, rules, address } = served(sandbox);
    const first = commit();
    const added = await rules("add", address);
    expect([added.code, added.stdout]).toEqual([0, expect.stringContaining("block: never")]);
    expect(lockOf(sandbox.userHooks)["no-nuke"]).toMatchObject({ source: address, commit: first });
    const text = NUKE.replace("never", "not today");
    sandbox.write(join(repository, "rules", "no-nuke", "HOOK.md"), text);
    const second = commit();
    const updated = await rules("update");
    expect([updated.code, updated.stdout]).toEqual([
      0,
      expect.stringContaining("another version than yours"),
    ]);
    expect(sandbox.read(join(sandbox.userHooks, "no-nuke", "HOOK.md"))).toBe(text);
    expect(lockOf(sandbox.userHooks)["no-nuke"]).toMatchObject({ commit: second });
    sandbox.write(join(repository, "rules", "other", "HOOK.md"), NUKE.replace("no-nuke", "other"));
    rmSync(join(repository, "rules", "no-nuke"), { recursive: true });
    commit();
    const gone = await rules("update", "no-nuke");
    expect(gone.stdout).toContain("no-nuke is no longer in");
    expect(readdirSync(sandbox.userHooks).sort()).toEqual(["hooks.lock", "no-nuke"]);
  });

  test("run no hook and no filter of the repository, and obey no setting of it", async () => {
    const sandbox = new CommandSandbox();
    const { repository, commit, rules, address } = served(sandbox);
    const mark = join(sandbox.root, "ran");
    sandbox.write(join(repository, ".gitattributes"), "* filter=evil text eol=crlf\n");
    sandbox.write(join(repository, ".gitconfig"), `[filter "evil"]\nsmudge = touch ${mark}\n`);
    sandbox.write(join(sandbox.home, ".gitconfig"), `[filter "evil"]\nsmudge = touch ${mark}; cat\n`);
    sandbox.write(join(sandbox.project, ".git", "config"), `[core]\nfsmonitor = touch ${mark}\n`);
    commit();
    expect((await rules("add", address)).code).toBe(0);
    expect(sandbox.read(join(sandbox.userHooks, "no-nuke", "HOOK.md"))).toBe(NUKE);
    expect(existsSync(mark)).toBe(false);
  });

  test("are refused with a link or a repository inside, and nothing is installed", async () => {
    const sandbox = new CommandSandbox();
    const { repository, git, commit, rules, address } = served(sandbox);
    symlinkSync("../../../etc/passwd", join(repository, "rules", "no-nuke", "data"));
    const first = commit();
    const linked = await rules("add", address);
    expect([linked.code, linked.stdout]).toEqual([1, expect.stringContaining("is a link or a repository")]);
    rmSync(join(repository, "rules", "no-nuke", "data"));
    git("update-index", "--add", "--cacheinfo", `160000,${first},rules/no-nuke/sub`);
    git("commit", "--quiet", "--message", "x");
    const nested = await rules("add", address);
    expect([nested.code, nested.stdout]).toEqual([1, expect.stringContaining("is a link or a repository")]);
    expect([existsSync(sandbox.userHooks), leftovers(sandbox)]).toEqual([false, []]);
  });

  test.each([
    ["http://127.0.0.1/x", "not fetched by http"],
    ["git://127.0.0.1/x", "not fetched by git"],
    ["file:///etc", "not fetched by file"],
    ["ext::sh -c touch% /tmp/x", "not fetched by ext"],
    ["https://me:secret@127.0.0.1/x", "has a user or a password in it"],
    ["ssh://-oProxyCommand=x/y", "has no host"],
    ["https://127.0.0.1:1/x", "nothing could be fetched from https://127.0.0.1:1/x: fatal: unable to access"],
    ["ssh://127.0.0.1:1/x", "nothing could be fetched"],
  ])("are not fetched from %s", async (address, why) => {
    const sandbox = new CommandSandbox();
    const { code, stdout } = await add(sandbox, address);
    expect([code, stdout.replaceAll("\n", " ")]).toEqual([1, expect.stringContaining(why)]);
    expect([existsSync(sandbox.userHooks), leftovers(sandbox)]).toEqual([false, []]);
  });
});

describe("rules update", () => {
  test("keeps a rule that was edited, and prints the command that shows the difference", async () => {
    const sandbox = new CommandSandbox();
    const folder = ruleFolder(sandbox);
    await add(sandbox, folder);
    const file = join(sandbox.userHooks, "no-nuke", "HOOK.md");
    sandbox.write(file, NUKE.replace("never", "mine"));
    sandbox.write(join(folder, "HOOK.md"), NUKE.replace("never", "theirs"));
    const { code, stdout } = await sandbox.onTerminal(["rules", "update"], [], PLAIN);
    expect([code, sandbox.read(file)]).toEqual([1, NUKE.replace("never", "mine")]);
    const diff = /The difference: (.*)/.exec(stdout)?.[1] ?? "";
    expect(execFileSync("sh", ["-c", `${diff}; true`], { encoding: "utf8" })).toMatch(
      /-reason: mine\n\+reason: theirs/,
    );
    expect((await sandbox.run(["rules"])).stdout).toMatch(/no-nuke +edited/);
  });

  test("of a rule that was never installed says so", async () => {
    const { code, stdout } = await update("nothing");
    expect([code, stdout]).toEqual([1, expect.stringContaining('no rule "nothing" was installed')]);
  });

  test("refuses a hooks.lock whose names lead elsewhere", async () => {
    const sandbox = new CommandSandbox();
    const entry = { source: "tenterhook", hash: "x" };
    sandbox.write(
      join(sandbox.userHooks, "hooks.lock"),
      JSON.stringify({ version: 1, rules: { "../../x": entry } }),
    );
    const { code, stdout } = await sandbox.onTerminal(["rules", "remove", "../../x"], ["y"], PLAIN);
    expect([code, stdout]).toEqual([1, expect.stringContaining("hooks.lock cannot be used")]);
  });
});

function update(name: string): Promise<Ran> {
  return new CommandSandbox().onTerminal(["rules", "update", name], ["y"], PLAIN);
}

describe("rules remove", () => {
  test("removes the rules of a group and their entries, and coding agents do not miss them", async () => {
    const sandbox = new CommandSandbox();
    const claude = await InstalledClaude.install(sandbox);
    await add(sandbox, ruleFolder(sandbox));
    expect((await claude.call("nuke")).code).toBe(2);
    const kept = await sandbox.onTerminal(["rules", "remove", "ours"], ["n"], PLAIN);
    expect([kept.code, kept.stdout]).toEqual([1, expect.stringContaining("Nothing was removed.")]);
    const removed = await sandbox.onTerminal(["rules", "remove", "ours"], ["y"], PLAIN);
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining("Removed: 1 rule")]);
    expect([readdirSync(sandbox.userHooks), lockOf(sandbox.userHooks), leftovers(sandbox)]).toEqual([
      ["hooks.lock"],
      {},
      [],
    ]);
    expect(await claude.call("nuke")).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("what was cut off", () => {
  test("between two renames is put back by the next change", async () => {
    const sandbox = new CommandSandbox();
    await add(sandbox, ruleFolder(sandbox));
    const drafts = join(sandbox.userHooks, "..", ".hooks-being-written");
    mkdirSync(join(drafts, "old"), { recursive: true });
    renameSync(join(sandbox.userHooks, "no-nuke"), join(drafts, "old", "no-nuke"));
    expect((await sandbox.run(["rules"])).stdout).toMatch(/no-nuke +gone/);
    await add(sandbox, "self");
    expect([existsSync(join(sandbox.userHooks, "no-nuke", "HOOK.md")), existsSync(drafts)]).toEqual([
      true,
      false,
    ]);
  });
});

test("a link of a project in place of what was cut off moves no hooks of the user into the project", async () => {
  const sandbox = new CommandSandbox();
  await add(sandbox, ruleFolder(sandbox));
  await add(sandbox, ruleFolder(sandbox), "--project");
  rmSync(join(sandbox.projectHooks, "no-nuke"), { recursive: true });
  const drafts = join(sandbox.projectHooks, "..", ".hooks-being-written");
  mkdirSync(drafts);
  symlinkSync(sandbox.userHooks, join(drafts, "old"));
  await add(sandbox, "self-files", "--project");
  const guard = join("no-nuke", "HOOK.md");
  expect([sandbox.userHooks, sandbox.projectHooks].map((root) => existsSync(join(root, guard)))).toEqual([
    true,
    false,
  ]);
});

describe("rules --frozen", () => {
  test("passes without a terminal and inside an agent, and names what differs from hooks.lock", async () => {
    const sandbox = new CommandSandbox();
    const env = { CLAUDECODE: "1" };
    const none = await sandbox.run(["rules", "--frozen"], { env });
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("no hooks.lock")]);
    sandbox.write(join(sandbox.project, "rules", "no-nuke", "HOOK.md"), NUKE);
    await add(sandbox, "rules", "self-files", "--project");
    expect(await sandbox.run(["rules", "--frozen"], { env })).toMatchObject({ code: 0 });
    sandbox.write(join(sandbox.projectHooks, "no-nuke", "more"), "x");
    rmSync(join(sandbox.projectHooks, "self-files"), { recursive: true });
    const { code, stdout } = await sandbox.run(["rules", "--frozen"], { env });
    expect(code).toBe(1);
    expect(stdout).toContain("no-nuke differs from hooks.lock");
    expect(stdout).toContain("self-files is gone");
  });
});
