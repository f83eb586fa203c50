import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { realFoldersAround, realPath } from "./files.ts";

function sandbox(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-paths-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** The same, from the root anew for each level. */
function resolvedOneByOne(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...resolvedOneByOne(parent), realPath(path)];
}

test.each([
  ["exists", "a/b/c"],
  ["goes through a symbolic link", "link/c"],
  ["goes through a link to a link, and up from it", "second/c/up/b"],
  ["is missing from some level on", "a/missing/x/y"],
  ["goes through a link that leads nowhere", "dangling/x"],
  ["goes through links that lead to each other", "circle/x"],
  ["goes through a file", "file/x"],
])("the folders around a path that %s are resolved as each of them alone is", (_, path) => {
  const root = sandbox();
  mkdirSync(join(root, "a", "b", "c"), { recursive: true });
  const links = {
    link: "a/b",
    second: "link",
    dangling: "nowhere",
    circle: "back",
    back: "circle",
    "a/b/c/up": "../..",
  };
  for (const [from, to] of Object.entries(links)) symlinkSync(to, join(root, from));
  expect(realFoldersAround(join(root, path))).toEqual(resolvedOneByOne(join(root, path)));
});
