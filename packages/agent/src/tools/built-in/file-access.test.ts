import { mkdir, open, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { inOpenedFolder, verifyOpenedPath } from "./file-access.ts";
import { WorkFolder } from "./work-folder.ts";

let outer: string;
let folder: WorkFolder;
beforeEach(async () => {
  const made = temporaryFolder();
  outer = made;
  await mkdir(join(outer, "work/src"), { recursive: true });
  await mkdir(join(outer, "victim"));
  await writeFile(join(outer, "victim/secret"), "secret");
  folder = await WorkFolder.open(join(outer, "work"));
});

/** Replaces `work/src` by a link to `victim`, as an attacker would. */
async function swap(): Promise<void> {
  await rename(join(outer, "work/src"), join(outer, "work/aside"));
  await symlink(join(outer, "victim"), join(outer, "work/src"));
}

describe("a folder is replaced by a link after the check", () => {
  test("and a file that was opened through it is noticed", async () => {
    const real = await folder.resolve("src/secret");
    await swap();
    const handle = await open(real);
    onTestFinished(() => handle.close());
    expect(await handle.readFile("utf8")).toBe("secret");
    await expect(verifyOpenedPath(folder, handle, "src/secret")).rejects.toMatchObject({
      code: "outside_work_folder",
    });
  });

  test("and a folder on the way to the one that is to be held is noticed", async () => {
    await mkdir(join(outer, "work/src/lib"));
    await mkdir(join(outer, "victim/lib"));
    const real = await folder.resolve("src/lib");
    await swap();
    const held = inOpenedFolder(folder, real, "src/lib/x", async () => "held");
    await expect(held).rejects.toMatchObject({ code: "outside_work_folder" });
  });

  test("and what is held already is still the folder that was checked", async () => {
    const real = await folder.resolve("src");
    await inOpenedFolder(folder, real, "src/new", async (held) => {
      await swap();
      await writeFile(join(held, "secret"), "mine");
    });
    expect(await readFile(join(outer, "victim/secret"), "utf8")).toBe("secret");
    expect(await readFile(join(outer, "work/aside/secret"), "utf8")).toBe("mine");
  });
});

test("a link is not held, wherever it leads", async () => {
  await symlink("src", join(outer, "work/link"));
  const held = inOpenedFolder(folder, join(outer, "work/link"), "link/x", async () => "held");
  await expect(held).rejects.toMatchObject({ code: "tool_failed" });
});

test("a file that was removed while it was open is still in the folder", async () => {
  const path = join(folder.root, "src/a");
  await writeFile(path, "");
  const handle = await open(path);
  onTestFinished(() => handle.close());
  await rm(path);
  await expect(verifyOpenedPath(folder, handle, "src/a")).resolves.toBe(process.platform === "linux");
});
