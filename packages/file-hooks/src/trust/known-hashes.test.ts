import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { hashFolder } from "./folder-hash.ts";
import { KnownHashes } from "./known-hashes.ts";

const root = temporaryFolder();

let count = 0;

/** A hook's folder whose signatures are old enough to be relied on. */
async function settledFolder(): Promise<string> {
  const folder = join(root, `hook-${count++}`);
  mkdirSync(join(folder, "scripts", "lib"), { recursive: true });
  writeFileSync(join(folder, "HOOK.md"), "first");
  writeFileSync(join(folder, "scripts", "run.sh"), "first");
  const changedAt = Date.now();
  await expect.poll(() => Date.now() - changedAt, { interval: 20 }).toBeGreaterThan(100);
  return folder;
}

describe("The hash of a folder that was hashed before", () => {
  test.each<[string, (folder: string) => void]>([
    ["a file has another content", (folder) => writeFileSync(join(folder, "scripts", "run.sh"), "other")],
    [
      "a file is added below it",
      (folder) => writeFileSync(join(folder, "scripts", "lib", "more.sh"), "more"),
    ],
    ["a file is removed", (folder) => rmSync(join(folder, "scripts", "run.sh"))],
    [
      "a file is renamed",
      (folder) => renameSync(join(folder, "scripts", "run.sh"), join(folder, "scripts", "run.py")),
    ],
    ["a link is added", (folder) => symlinkSync("run.sh", join(folder, "scripts", "run"))],
  ])("is made again when %s", async (_what, change) => {
    const hashes = new KnownHashes();
    const folder = await settledFolder();
    const before = hashes.of(folder);
    expect(hashes.of(folder)).toBe(before);
    change(folder);
    expect(hashes.of(folder)).toBe(hashFolder(folder));
    expect(hashes.of(folder)).not.toBe(before);
  });

  test("is made again when a link to it leads to another folder", async () => {
    const hashes = new KnownHashes();
    const [one, other] = [await settledFolder(), await settledFolder()];
    writeFileSync(join(other, "HOOK.md"), "other");
    const link = join(root, "link");
    symlinkSync(one, link);
    expect(hashes.of(link)).toBe(hashFolder(one));
    rmSync(link);
    symlinkSync(other, link);
    expect(hashes.of(link)).toBe(hashFolder(other));
  });

  test("is made again when a file changes within the same tick of the file system's clock", async () => {
    const hashes = new KnownHashes();
    const folder = await settledFolder();
    const script = join(folder, "scripts", "run.sh");
    for (let round = 0; round < 50; round++) {
      writeFileSync(script, "good!");
      const good = hashes.of(folder);
      writeFileSync(script, "evil!");
      expect(hashes.of(folder)).not.toBe(good);
    }
  });

  test("fails when the folder is gone", async () => {
    const hashes = new KnownHashes();
    const folder = await settledFolder();
    hashes.of(folder);
    rmSync(folder, { recursive: true });
    expect(() => hashes.of(folder)).toThrow("ENOENT");
  });
});
