import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { HAS_NAMESPACES } from "./small-disk.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/dist/bin/tenterhook.js", import.meta.url));
const BEFORE = '{ "model": "x" }';

/**
 * Leaves less and less space free for a second installation, so that each of its writes is the one that fails. The first one is whole;
 * what it wrote is changed so that everything must be written again.
 */
const SCRIPT = `
mount -t tmpfs -o size=16m,mode=755 tmpfs "$1" || exit 9
mkdir -p "$1/home/.claude" "$1/home/.codex" "$1/project"
cd "$1/project"
for free in 0 4 8 16 32 64 200 400 800 1200 1600 1640 1660 1680 1690 1700 1710 1720 1730; do
  rm -rf "$1/home/.local" "$1/home/.config"
  printf '%s' '${BEFORE}' >"$1/home/.claude/settings.json"
  rm -f "$1/home/.codex"/*
  # One file takes all but what must be free.
  dd if=/dev/zero of="$1/ballast" bs=1k count=100000 2>/dev/null
  truncate -s "-\${free}K" "$1/ballast"
  HOME="$1/home" "$2" "$3" install claude codex --rules self >"$1/home/out" 2>/dev/shm/tenterhook-full-$$
  code=$?
  rm -f "$1/ballast"
  printf '%s\\t%s\\t%s\\t%s\\t%s\\n' "$free" "$code" "$(tr '\\n' ' ' </dev/shm/tenterhook-full-$$)" \\
    "$(tr '\\n' ' ' <"$1/home/.claude/settings.json")" \\
    "$(find "$1/home" -name '.new-*' -o -name '.*.tenterhook' -o -name lock | tr '\\n' ' ')"
done
rm -f /dev/shm/tenterhook-full-$$
`;

test("install on a full disk ends with an error that says so, and leaves every file old or new", () => {
  const folder = temporaryFolder();
  // Without namespaces no disk can be made small.
  if (!HAS_NAMESPACES) return;
  const unshare = ["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh", folder];
  const { stdout } = spawnSync("unshare", [...unshare, process.execPath, BIN], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  expect(rows.length).toBe(19);
  for (const [free, code, stderr, settings = "", left = ""] of rows) {
    if (code !== "0")
      expect([free, stderr]).toEqual([free, expect.stringMatching(/the disk is full|space on its disk/)]);
    const isWhole = settings === BEFORE || Object.keys(JSON.parse(settings).hooks).length > 5;
    expect([free, isWhole, left.trim()]).toEqual([free, true, ""]);
  }
  expect(rows.filter(([, code]) => code !== "0").length).toBeGreaterThan(5);
});
