#!/usr/bin/env node
// Asks about a push to a branch that the team shares, or if it cannot know within two seconds which branch it is.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const SHARED =
  /^(?:main|master|trunk|develop|development|staging|prod|production|gh-pages|release(?:[/-].*)?)$/;
const TIME_MS = 2_000;
const PUSHES = ["publish", "publish.force", "publish.lease", "publish.lease.refspec"];

const event = JSON.parse(readFileSync(0, "utf8"));
const effects = event.effects.filter(({ where }) => where === "here");
const pushes = effects.filter(({ effect }) => PUSHES.includes(effect));

try {
  const shared = pushes.flatMap(branchesOf).find((branch) => SHARED.test(branch));
  if (effects.some(({ effect }) => effect === "unreadable"))
    ask("A part of this line cannot be read. Write the push on a line of its own.");
  else if (shared !== undefined)
    ask(`This pushes to ${shared}, which others share. Push a branch of its own and open a pull request.`);
} catch (error) {
  const why = String(error.stderr || error.message).split("\n", 1)[0];
  ask(`Which branch this pushes to is not known (${why}). Name it: git push origin BRANCH.`);
}

function branchesOf({ targets, command }) {
  if (/\s--(?:all|mirror|branches)\b/.test(command)) throw new Error("it pushes all of them");
  if (targets.some(({ known }) => known === "unknown")) throw new Error("its name is a value");
  const names = targets.map(({ name }) => name.replace(/^refs\/heads\//, ""));
  // Without a name, and for `HEAD`, it is the one that is checked out.
  const isCurrent = names.length === 0 || names.includes("HEAD") || names.includes("@");
  return isCurrent ? [...names, currentBranch(command)] : names;
}

function currentBranch(command) {
  const line = Object.values(event.tool_input).join("\n");
  // The script knows the folder of the call, and the branch that is checked out before it.
  if (
    /\s(?:-C|--git-dir)\b/.test(`${command} ${line}`) ||
    /\b(?:cd|pushd|checkout|switch|GIT_DIR)\b/.test(line)
  )
    throw new Error("the line changes folder or branch");
  const stdio = ["ignore", "pipe", "pipe"];
  const options = { cwd: event.work_dir, timeout: TIME_MS, stdio, encoding: "utf8" };
  return execFileSync("git", ["symbolic-ref", "--short", "HEAD"], options).trim();
}

function ask(reason) {
  console.log(JSON.stringify({ decision: "ask", reason }));
}
