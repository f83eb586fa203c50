import { expect, test } from "vitest";
import { programEffects } from "../testing/program-effects.ts";

test.each([
  // Changes that are lost.
  ["git reset --hard", ["discard.worktree /repo"]],
  ["git reset --har HEAD~3", ["discard.worktree /repo"]],
  ["git -C ../other reset --hard", ["discard.worktree /other"]],
  ["git --git-dir=/x/.git reset --hard", ["discard.worktree /x"]],
  ["git reset --soft HEAD~1", []],
  ["git clean -if", []],
  ["git -c gc.pruneExpire=now gc --no-prune", []],
  ["git checkout HEAD HEAD -- .", []],
  ["git checkout -f main", ["discard.worktree /repo"]],
  ["git checkout .", ["discard.worktree /repo"]],
  ["git checkout HEAD -- '*'", ["discard.worktree /repo"]],
  ["git checkout -- a.ts", ["discard.worktree /repo/a.ts"]],
  ["git checkout main README.md", ["discard.worktree /repo/README.md"]],
  ["git checkout feature/x", []],
  ["git checkout v1.2.3", []],
  ["git checkout -b x origin/main", []],
  ["git checkout -B x", ["discard.branch x"]],
  ["git switch -C x", ["discard.branch x"]],
  ["git switch --discard x", ["discard.worktree /repo"]],
  ["git switch -c new", []],
  ["git restore src/a", ["discard.worktree /repo/src/a"]],
  ["git restore -- :/", ["discard.worktree /repo"]],
  ["git restore --staged .", []],
  ["git restore --staged --worktree .", ["discard.worktree /repo"]],
  ["git clean -fdx", ["discard.untracked /repo"]],
  ["git clean -fX", ["discard.ignored /repo"]],
  ["git clean -nfd", []],
  ["git clean -d", []],
  ["git clean -e --dry-run -f", ["discard.untracked /repo"]],
  ["git -c clean.requireForce=false clean", ["discard.untracked /repo"]],
  ["git rm -rf src", ["discard.worktree /repo/src"]],
  ["git rm -f --cached src", []],
  ["git stash drop", ["discard.stash"]],
  ["git stash clear", ["discard.stash.all"]],
  ["git stash pop", []],
  ["git stash push -m drop", []],
  ["git worktree remove --force ../w", ["discard.linked ../w"]],
  ["git worktree remove ../w", []],
  ["git branch -D a b", ["discard.branch a b"]],
  ["git branch -d a", []],
  ["git branch -M main", []],
  // History.
  ["git commit --amend", ["rewrite_history.amend"]],
  ["git commit -m --amend", []],
  ["git commit -am --no-verify", []],
  ["git rebase -i HEAD~3", ["rewrite_history.rebase"]],
  ["git rebase --abort", []],
  ["git rebase -x 'rm -rf /' main", ["run rm -rf /", "rewrite_history.rebase"]],
  ["git filter-branch --tree-filter 'rm -f x' HEAD", ["run rm -f x", "rewrite_history.all"]],
  ["git filter-repo --path x", ["rewrite_history.all"]],
  ["git reflog expire --expire=now --all", ["rewrite_history.recovery"]],
  ["git gc --prune=now", ["rewrite_history.recovery"]],
  ["git -c gc.pruneExpire=now gc", ["rewrite_history.recovery"]],
  ["git gc", []],
  ["git prune -n", []],
  ["git update-ref -d refs/heads/x", ["rewrite_history.recovery refs/heads/x"]],
  // What others see.
  ["git push", ["publish"]],
  ["git push origin HEAD:main", ["publish main"]],
  ["git push -f origin x", ["publish.force x"]],
  ["git push --forc", ["publish.force"]],
  ["git push -uf origin x", ["publish.force x"]],
  ["git push --force-with-lease origin x", ["publish.lease x"]],
  ["git push --force-with-lease=x:abc -f", ["publish.force"]],
  ["git push origin +x", ["publish.force x"]],
  ["git push --force-with-lease origin +a:b", ["publish.lease.refspec b"]],
  ["git push origin :x", ["publish.delete x"]],
  ["git push origin --delete x", ["publish.delete x"]],
  ["git push --mirror", ["publish.delete", "publish.force"]],
  ["git push -n -f", []],
  ["git push -o --dry-run -f", ["publish.force"]],
  ["git push --dry-run --force", []],
  ["git -c remote.origin.push=+main push", ["publish.force"]],
  // Hooks, and commands in settings.
  ["git commit --no-verify -m x", ["bypass"]],
  ["git commit -nm x", ["bypass"]],
  ["git merge -n x", []],
  ["git push --no-verif", ["bypass", "publish"]],
  ["git -c core.hooksPath=/dev/null commit", ["bypass"]],
  ["git config core.hooksPath /dev/null", ["bypass"]],
  ["git config --unset core.hooksPath", ["bypass"]],
  ["git config core.hooksPath", []],
  ["git config --get core.hooksPath x", []],
  ["git config user.name x", []],
  ["git -c 'alias.x=!rm -rf /' x y", ["run rm -rf /", "run rm -rf / y"]],
  ["git -c 'alias.x=push -f' x origin main", ["publish.force main"]],
  ["git -c 'core.sshCommand=sh -c id' fetch", ["run sh -c id"]],
  ["git clone 'ext::sh -c id'", ["run sh -c id"]],
  ["git -c core.editor=vim commit", []],
  ["git submodule foreach 'git clean -fd'", ["run git clean -fd"]],
  ["git bisect run rm -rf src", ["delete.recursive /repo/src"]],
  ["git …", ["execute.unknown"]],
  // Reading.
  ["git show HEAD:.env", ["read /repo/.env", "prints secret"]],
  ["git diff main -- .env", ["read /repo/.env", "prints secret"]],
  ["git log -p --stat", []],
  ["git status", []],
  ["git push --help", []],
  ["git credential fill", ["read.store", "prints secret"]],
  ["git archive HEAD", ["prints folder"]],
  ["husky uninstall", ["bypass"]],
  ["hg update -C", ["discard.worktree /repo"]],
])("%s does %j", (command, expected) => {
  expect(programEffects(command)).toEqual(expected);
});

test("a variable switches off hooks, and sets what git runs", () => {
  expect(programEffects("git commit", { variables: { HUSKY: "0" } })).toEqual(["bypass"]);
  expect(programEffects("git status", { variables: { HUSKY: "0" } })).toEqual([]);
  expect(programEffects("git fetch", { variables: { GIT_SSH_COMMAND: "sh -c id" } })).toEqual([
    "run sh -c id",
  ]);
  const variables = {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.hooksPath",
    GIT_CONFIG_VALUE_0: "/dev/null",
  };
  expect(programEffects("git commit", { variables })).toEqual(["bypass"]);
});

test("refs that are deleted by the input count", () => {
  const input = "delete refs/heads/x\n";
  expect(programEffects("git update-ref --stdin", { input })).toEqual(["rewrite_history.recovery"]);
});
