#!/usr/bin/env node
// Asks about `git commit --amend` and `git rebase` if a commit that they replace is on a remote, or if git cannot say so in two seconds.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const TIME_MS = 2_000;
const startedAt = Date.now();
const event = JSON.parse(readFileSync(0, "utf8"));
const effects = event.effects.filter(({ where }) => where === "here");

try {
  if (effects.some(({ effect }) => effect === "unreadable"))
    ask("A part of this line cannot be read. Write the git command on a line of its own.");
  else if (effects.some(isOfPushedCommits))
    ask(
      "This replaces commits that are on a remote, and others may have built on them. " +
        "Make a new commit instead (git commit --fixup, git revert), or ask the person.",
    );
} catch (error) {
  ask(`Whether this replaces commits that were pushed is not known: ${firstLine(error)}`);
}

function isOfPushedCommits({ effect, command }) {
  const isAmend = effect === "rewrite_history.amend";
  if (!isAmend && effect !== "rewrite_history.rebase") return false;
  if (isElsewhere(command)) throw new Error("the command is for another folder.");
  const commits = isAmend ? ["-1", "HEAD"] : replacedBy(command);
  return count(commits) > count([...commits, "--not", "--remotes"]);
}

/** The script knows the folder of the call only. */
function isElsewhere(command) {
  const line = Object.values(event.tool_input).join("\n");
  return (
    /\s(?:-C|--git-dir|--work-tree)\b/.test(`${command} ${line}`) || /\b(?:cd|pushd|GIT_DIR)\b/.test(line)
  );
}

/** `git rebase BASE` replaces what HEAD has and BASE does not; without a base, what the branch's upstream does not have. */
function replacedBy(command) {
  const words = command.split(/\s+/).slice(command.split(/\s+/).indexOf("rebase") + 1);
  if (words.some((word) => /^--(?:onto|root|keep-base)/.test(word))) return ["HEAD"];
  const named = words.filter((word) => !word.startsWith("-"));
  const [base, branch = "HEAD"] = named.filter(isCommit);
  return [`${base ?? "@{upstream}"}..${branch}`];
}

function isCommit(word) {
  try {
    git("rev-parse", "--verify", "--quiet", "--end-of-options", `${word}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

function count(commits) {
  return Number(git("rev-list", "--count", ...commits));
}

function git(...args) {
  const timeout = Math.max(1, TIME_MS - (Date.now() - startedAt));
  const stdio = ["ignore", "pipe", "pipe"];
  return execFileSync("git", args, { cwd: event.work_dir, timeout, stdio, encoding: "utf8" }).trim();
}

function firstLine(error) {
  return String(error.stderr || error.message).split("\n", 1)[0];
}

function ask(reason) {
  console.log(JSON.stringify({ decision: "ask", reason }));
}
