import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, describe, expect, test } from "vitest";
import { WorkFolder } from "./work-folder.ts";

let outer: string;
let folder: WorkFolder;
beforeEach(async () => {
  const made = temporaryFolder();
  outer = made;
  await mkdir(join(outer, "work/src"), { recursive: true });
  await mkdir(join(outer, "work-evil"));
  await writeFile(join(outer, "work/src/a.ts"), "");
  await writeFile(join(outer, "secret"), "");
  folder = await WorkFolder.open(join(outer, "work"));
});

const outside = expect.objectContaining({ code: "outside_work_folder" });

describe("a path leads to where it is, in the folder", () => {
  test.each([
    ["src/a.ts", "work/src/a.ts"],
    ["./src/../src/a.ts", "work/src/a.ts"],
    ["src/", "work/src"],
    [".", "work"],
    ["", "work"],
    ["not/yet/there.ts", "work/not/yet/there.ts"],
    ["..a", "work/..a"],
    ["...", "work/..."],
    ["src/..b/c", "work/src/..b/c"],
  ])("%j", async (path, expected) => {
    expect(await folder.resolve(path)).toBe(join(outer, expected));
  });

  test("when it is absolute", async () => {
    expect(await folder.resolve(join(outer, "work/src/new"))).toBe(join(outer, "work/src/new"));
  });

  test("when links in it lead to the folder again", async () => {
    await symlink("src", join(outer, "work/relative"));
    await symlink(join(outer, "work"), join(outer, "way-in"));
    expect(await folder.resolve("relative/a.ts")).toBe(join(outer, "work/src/a.ts"));
    expect(await folder.resolve(join(outer, "way-in/src/new"))).toBe(join(outer, "work/src/new"));
    expect((await WorkFolder.open(join(outer, "way-in"))).root).toBe(folder.root);
  });

  test("and `..` after a link is taken off the text, not off where the link leads", async () => {
    await mkdir(join(outer, "work/deep/er"), { recursive: true });
    await symlink("deep/er", join(outer, "work/link"));
    expect(await folder.resolve("link/../x")).toBe(join(outer, "work/x"));
  });
});

describe("a path that leads out is refused", () => {
  test.each([
    "..",
    "../secret",
    "src/../../secret",
    "src/../../work-evil/x",
    "../missing/folder/file",
    "/",
    "/etc/passwd",
    "//etc/passwd",
    "/proc/self/root/etc/passwd",
    "/proc/self/environ",
  ])("%j", async (path) => {
    await expect(folder.resolve(path)).rejects.toEqual(outside);
  });

  test("when another folder's name begins with the folder's", async () => {
    await expect(folder.resolve(join(outer, "work-evil/x"))).rejects.toEqual(outside);
  });

  test("when it differs from the folder in case only", async () => {
    await expect(folder.resolve(join(outer, "WORK/src/a.ts"))).rejects.toEqual(outside);
  });

  test("when a link at its end, on its way, or behind another link does so", async () => {
    await symlink(join(outer, "secret"), join(outer, "work/file"));
    await symlink("../work-evil", join(outer, "work/src/dir"));
    await symlink("src/dir", join(outer, "work/twice"));
    await symlink("/", join(outer, "work/root"));
    for (const path of ["file", "src/dir", "src/dir/new", "twice/a/b", "root/etc/passwd", "root"]) {
      await expect(folder.resolve(path), path).rejects.toEqual(outside);
    }
  });

  test("when a link leads nowhere yet, wherever it would lead", async () => {
    await symlink(join(outer, "new-secret"), join(outer, "work/out"));
    await symlink("new-file", join(outer, "work/in"));
    for (const path of ["out", "out/x", "in", "in/x"]) {
      await expect(folder.resolve(path), path).rejects.toEqual(outside);
    }
  });

  test("and the refusal names the path and the folder", async () => {
    await expect(folder.resolve("../secret")).rejects.toThrow(
      `"../secret" leads out of the work folder ${folder.root}`,
    );
  });
});

describe("a path that leads nowhere is an error", () => {
  test("when it has a NUL byte", async () => {
    await expect(folder.resolve("a\0/../../secret")).rejects.toMatchObject({ code: "bad_tool_input" });
  });

  test("when links lead in circles", async () => {
    await symlink("b", join(outer, "work/a"));
    await symlink("a", join(outer, "work/b"));
    await expect(folder.resolve("a")).rejects.toMatchObject({ code: "tool_failed" });
  });

  test("when a file is taken for a folder, or a name is too long", async () => {
    await expect(folder.resolve("src/a.ts/b")).rejects.toThrow("not a folder");
    await expect(folder.resolve("x".repeat(5_000))).rejects.toThrow("too long");
  });
});

test("a work folder that does not exist, or is a file, is rejected", async () => {
  await expect(WorkFolder.open(join(outer, "nowhere"))).rejects.toThrow("does not exist");
  await expect(WorkFolder.open(join(outer, "secret"))).rejects.toThrow("is not a folder");
});

test("a real path is called by its way from the folder", () => {
  expect(folder.nameOf(join(folder.root, "src", "a.ts"))).toBe("src/a.ts");
  expect(folder.nameOf(folder.root)).toBe(".");
});
