import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandEffect, readCommand } from "@tenterhook/commands";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { RULES_FOLDER } from "./read-rules.ts";

const { PATH = "" } = process.env;
const IDENTITY = {
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.org",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.org",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

/** A clone with a commit on main that the remote has. */
function clone(): { readonly folder: string; readonly git: (...args: string[]) => void } {
  const folder = join(temporaryFolder(), "app");
  const run = (cwd: string, args: readonly string[]) =>
    execFileSync("git", args, { cwd, env: { PATH, ...IDENTITY }, stdio: "ignore" });
  mkdirSync(folder);
  run(folder, ["init", "-q", "-b", "main"]);
  run(folder, ["commit", "-q", "--allow-empty", "-m", "first"]);
  run(folder, ["clone", "-q", "--bare", ".", "../origin.git"]);
  run(folder, ["remote", "add", "origin", "../origin.git"]);
  run(folder, ["fetch", "-q", "origin"]);
  run(folder, ["branch", "-q", "-u", "origin/main"]);
  return { folder, git: (...args) => void run(folder, args) };
}

/** What the script of a rule answers about a line: the reason of its question, or `undefined`. */
function asked(rule: string, line: string, workDir: string, path = PATH): string | undefined {
  const { effects } = readCommand(line, { workDir });
  const event = {
    work_dir: workDir,
    tool_input: { command: line },
    effects: effects.map(writtenEffect),
  };
  const script = join(RULES_FOLDER, rule, "scripts", "run.mjs");
  const { stdout, status } = spawnSync(process.execPath, [script], {
    input: JSON.stringify(event),
    env: { PATH: path },
    encoding: "utf8",
  });
  expect(status).toBe(0);
  if (stdout === "") return undefined;
  const { decision, reason } = JSON.parse(stdout) as { decision: string; reason: string };
  expect(decision).toBe("ask");
  return reason;
}

/** As the event on a script's input has it. */
function writtenEffect({ name, targets, command, where, isElevated }: CommandEffect): object {
  return { effect: name, targets, command, where, elevated: isElevated };
}

describe("safety-history-pushed", () => {
  const about = (line: string, folder: string, path?: string) =>
    asked("safety-history-pushed", line, folder, path);

  test("asks about amending a commit that the remote has, and not about a new one", () => {
    const { folder, git } = clone();
    expect(about("git commit --amend", folder)).toContain("on a remote");
    git("commit", "-q", "--allow-empty", "-m", "second");
    expect(about("git commit --amend --no-edit", folder)).toBeUndefined();
  });

  test("asks about a rebase that replaces a pushed commit, also if the last one is new", () => {
    const { folder, git } = clone();
    git("checkout", "-q", "-b", "feature");
    git("commit", "-q", "--allow-empty", "-m", "second");
    expect(about("git rebase main", folder)).toBeUndefined();
    expect(about("git rebase -i HEAD~1", folder)).toBeUndefined();
    git("push", "-q", "-u", "origin", "feature");
    git("commit", "-q", "--allow-empty", "-m", "third");
    expect(about("git rebase main", folder)).toContain("on a remote");
    expect(about("git rebase -i HEAD~2", folder)).toContain("on a remote");
    expect(about("git rebase -i HEAD~1", folder)).toBeUndefined();
    expect(about("git rebase", folder)).toBeUndefined();
    expect(about("git rebase --onto main HEAD~1", folder)).toContain("on a remote");
  });

  test("asks about nothing where there is no remote", () => {
    const { folder, git } = clone();
    git("remote", "remove", "origin");
    expect(about("git commit --amend", folder)).toBeUndefined();
  });

  test("asks where it cannot know: no repository, another folder, no upstream, a line that cannot be read", () => {
    const { folder, git } = clone();
    git("commit", "-q", "--allow-empty", "-m", "second");
    expect(about("git commit --amend", temporaryFolder())).toContain("is not known");
    expect(about("cd ../other && git commit --amend", folder)).toContain("another folder");
    expect(about("git -C ../other commit --amend", folder)).toContain("another folder");
    git("checkout", "-q", "--detach");
    expect(about("git rebase", folder)).toContain("is not known");
    expect(about("git commit --amend; echo $((", folder)).toContain("cannot be read");
  });

  test("asks if git does not answer within two seconds", () => {
    const { folder } = clone();
    const bin = temporaryFolder();
    writeFileSync(join(bin, "git"), "#!/bin/sh\nexec sleep 60\n");
    chmodSync(join(bin, "git"), 0o755);
    const startedAt = performance.now();
    expect(about("git commit --amend", folder, `${bin}:${PATH}`)).toContain("is not known");
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });
});

describe("team-main-branch", () => {
  const about = (line: string, folder: string) => asked("team-main-branch", line, folder);

  test("asks about a push to a shared branch, wherever its name stands", () => {
    const { folder } = clone();
    for (const line of [
      "git push origin main",
      "git push origin HEAD:refs/heads/main",
      "git push -u origin release/2",
    ])
      expect(about(line, folder)).toContain("which others share");
    expect(about("git push origin feature/main", folder)).toBeUndefined();
    expect(about("git push origin main:feature", folder)).toBeUndefined();
  });

  test("asks git which branch is pushed where the line does not say it", () => {
    const { folder, git } = clone();
    for (const line of ["git push", "git push origin", "git push origin HEAD"])
      expect(about(line, folder)).toContain("pushes to main");
    git("checkout", "-q", "-b", "feature");
    for (const line of ["git push", "git push origin", "git push origin HEAD"])
      expect(about(line, folder)).toBeUndefined();
  });

  test("asks where it cannot know", () => {
    const { folder, git } = clone();
    git("checkout", "-q", "-b", "feature");
    for (const line of [
      "git push --all",
      'git push origin "$B"',
      "git checkout main && git push",
      "cd .. && git push",
    ])
      expect(about(line, folder)).toContain("is not known");
    git("checkout", "-q", "--detach");
    expect(about("git push", folder)).toContain("is not known");
    expect(about("git push", temporaryFolder())).toContain("is not known");
  });

  test("does not ask about a package that is published, nor about a branch that is removed", () => {
    const { folder } = clone();
    expect(about("npm publish", folder)).toBeUndefined();
    expect(about("git push origin --delete feature", folder)).toBeUndefined();
  });
});
