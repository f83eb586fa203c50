import type { PathSetName } from "@tenterhook/protocol/internal";
import { expect, test } from "vitest";
import type { CommandFiles } from "./effects.ts";
import { isInPathSet } from "./path-sets.ts";
import { readCommand } from "./read-command.ts";

const OPTIONS = { workDir: "/home/me/app", home: "/home/me" };

/** Whether what a line deletes is in a set. */
function isDeletedIn(set: PathSetName, line: string, extent: "some" | "all", files?: CommandFiles): boolean {
  const targets = readCommand(line, OPTIONS).effects.flatMap((effect) => effect.targets);
  return targets.some(
    (target) => target.type === "path" && isInPathSet(set, target, { ...OPTIONS, files }, extent),
  );
}

test.each([
  ["ignored", "rm -rf dist"],
  ["ignored", "rm -rf dist/*"],
  ["ignored", "find . -type d -name __pycache__ -exec rm -rf {} +"],
  ["scratch", "rm -rf /tmp/x"],
  ["scratch", 't=$(mktemp -d); rm -rf "$t"'],
  ["git", "rm -rf .g*"],
  ["home-whole", "rm -rf ~/.*"],
  ["root", "rm -rf /*"],
] as const)("%s has what %s deletes", (set, line) => {
  expect(isDeletedIn(set, line, "some")).toBe(true);
});

test.each([
  ["git", "find . -name '*.pyc' -delete"],
  ["ignored", "rm -rf src"],
  ["ignored", "find . -name '*' -delete"],
  ["scratch", "rm -rf /tmp"],
  ["scratch", "rm -rf /tmp/../etc"],
  ["scratch", "rm -rf /tmp/*"],
  ["project", "rm -rf ../app2"],
  ["root", "rm -rf /tmp"],
] as const)("%s has not what %s deletes", (set, line) => {
  expect(isDeletedIn(set, line, "some")).toBe(false);
});

test.each([
  ["/mnt/t", "/mnt/t/x", true],
  ["/mnt/t/", "/mnt/t/x", true],
  ["/mnt/my t", "/mnt/my t/x", true],
  ["/mnt/my t", "/mnt/x", false],
  ["", "/etc", false],
  ["/", "/etc", false],
])("with TMPDIR=%j, whether %s is in a scratch folder is %s", (scratch, path, isScratch) => {
  const [target] = readCommand(`rm -rf '${path}'`, OPTIONS).effects.flatMap((effect) => effect.targets);
  const place = { ...OPTIONS, scratch };
  expect(target?.type === "path" && isInPathSet("scratch", target, place, "all")).toBe(isScratch);
});

test.each([
  ["home", "", "all", false],
  ["home", "/", "all", false],
  ["home", "/", "some", true],
  ["system", "", "some", true],
  ["system", "/", "some", true],
] as const)("whether /etc/x is in %s with HOME=%j, for %s, is %s", (set, home, extent, expected) => {
  const place = { workDir: "/repo/app", home };
  const [target] = readCommand("rm -rf /etc/x", place).effects.flatMap((effect) => effect.targets);
  expect(target?.type === "path" && isInPathSet(set, target, place, extent)).toBe(expected);
});

test("git says what is ignored, and where it cannot the list of names does", () => {
  const files: CommandFiles = { isIgnored: (path) => path.endsWith("/generated") };
  expect(isDeletedIn("ignored", "rm -rf generated", "all", files)).toBe(true);
  expect(isDeletedIn("ignored", "rm -rf dist", "all", files)).toBe(false);
  expect(isDeletedIn("ignored", "rm -rf dist", "all", { isIgnored: () => undefined })).toBe(true);
});
