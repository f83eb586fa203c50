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

test("a folder is no scratch folder because TMPDIR names it", () => {
  const isScratch = (TMPDIR: string, line: string) =>
    readCommand(line, { ...OPTIONS, env: { TMPDIR } }).effects.some(({ targets: [target] }) => {
      return target?.type === "path" && isInPathSet("scratch", target, OPTIONS, "all");
    });
  expect(isScratch("/home/me", "rm -rf /home/me/documents")).toBe(false);
  expect(isScratch("/home/me", 'rm -rf "$TMPDIR/documents"')).toBe(false);
  expect(isScratch("/tmp/session", 'rm -rf "$TMPDIR/documents"')).toBe(true);
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
