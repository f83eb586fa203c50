import { execFile } from "node:child_process";
import { link, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TenterhookError } from "@tenterhook/protocol";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { ToolCallOptions } from "./built-in-tool.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { readFileTool } from "./read-file.ts";
import { editFileTool, writeFileTool } from "./write-file.ts";

let outer: string;
let context: ToolCallOptions;
beforeEach(async () => {
  const made = temporaryFolder();
  outer = made;
  await mkdir(join(outer, "work"));
  await mkdir(join(outer, "victim"));
  await writeFile(join(outer, "victim/secret"), "the secret");
  await symlink(join(outer, "victim"), join(outer, "work/dir"));
  await symlink(join(outer, "victim/secret"), join(outer, "work/file"));
  await symlink(join(outer, "victim/new"), join(outer, "work/broken"));
  context = { workDir: join(outer, "work"), abortSignal: new AbortController().signal };
});

/** Every tool that takes a path, asked about one. */
const TOOLS: Readonly<Record<string, (path: string) => Promise<string>>> = {
  ReadFile: (path) => readFileTool().execute({ file_path: path }, context),
  WriteFile: (path) => writeFileTool().execute({ file_path: path, content: "mine" }, context),
  EditFile: (path) =>
    editFileTool().execute({ file_path: path, old_string: "secret", new_string: "mine" }, context),
  Glob: (path) => globTool().execute({ pattern: "**", path }, context),
  "Glob's pattern": (path) => globTool().execute({ pattern: `${path}/*` }, context),
  Grep: (path) => grepTool().execute({ pattern: "secret", path }, context),
};

const WAYS_OUT = [
  "../victim/secret",
  "x/../../victim/secret",
  "dir",
  "dir/secret",
  "dir/new",
  "dir/a/b/c",
  "file",
  "broken",
  "broken/x",
  "/etc/hostname",
  "/etc",
];

describe.each(Object.entries(TOOLS))("%s", (_, tool) => {
  test.each(WAYS_OUT)("refuses %s, and leaves what is outside as it was", async (path) => {
    await expect(tool(path)).rejects.toMatchObject({ code: "outside_work_folder" });
    expect(await readdir(join(outer, "victim"))).toEqual(["secret"]);
    expect(await readFile(join(outer, "victim/secret"), "utf8")).toBe("the secret");
    expect(await readdir(join(outer, "work"))).toEqual(["broken", "dir", "file"]);
  });

  test("refuses an absolute path into a folder whose name begins like the work folder's", async () => {
    await mkdir(join(outer, "work-evil"));
    await expect(tool(join(outer, "work-evil/x"))).rejects.toMatchObject({ code: "outside_work_folder" });
  });

  test("refuses a NUL byte", async () => {
    await expect(tool("a\0b")).rejects.toMatchObject({ code: "bad_tool_input" });
  });
});

describe.each(["ReadFile", "WriteFile", "EditFile", "Grep"])("%s does not wait for", (name) => {
  const tool = (path: string) => TOOLS[name]?.(path);

  test("a pipe", async () => {
    await promisify(execFile)("mkfifo", [join(outer, "work/pipe")]);
    await expect(tool("pipe")).rejects.toThrow("not a regular file");
  });

  test("a socket", async () => {
    const server = createServer().listen(join(outer, "work/socket"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    await expect(tool("socket")).rejects.toThrow("not a regular file");
  });
});

// Only tools that read: a failing test must not replace /dev/zero by a file.
test.each(["ReadFile", "Grep"])("%s refuses devices", async (name) => {
  context = { ...context, workDir: "/dev" };
  await expect(TOOLS[name]?.("zero")).rejects.toThrow("not a regular file");
});

describe("the searching tools", () => {
  beforeEach(async () => {
    await writeFile(join(outer, "work/mine"), "my secret");
  });

  test("do not follow links that they come across, also not those that lead nowhere or back", async () => {
    await symlink("..", join(outer, "work/back"));
    await symlink(".", join(outer, "work/circle"));
    expect(await globTool().execute({ pattern: "**" }, context)).toBe("mine");
    expect(await grepTool().execute({ pattern: "secret" }, context)).toBe("mine:1: my secret");
  });

  test("pass over pipes that they come across", async () => {
    await promisify(execFile)("mkfifo", [join(outer, "work/pipe")]);
    expect(await globTool().execute({ pattern: "*" }, context)).toBe("mine");
    expect(await grepTool().execute({ pattern: "secret" }, context)).toBe("mine:1: my secret");
  });

  test.each([
    "../*",
    "{..,x}/*",
    "[.][.]/*",
    "\\.\\./*",
    "?./*",
    "*/../../victim/*",
    "dir*/*",
    "{dir,x}/**",
    "di[r]/*",
  ])("are not led out by the pattern %s", async (pattern) => {
    const listed = await globTool()
      .execute({ pattern }, context)
      .catch((error: TenterhookError) => error.code);
    expect(["[no files match]", "bad_tool_input", "outside_work_folder"]).toContain(listed);
    expect(await grepTool().execute({ pattern: "secret", glob: pattern }, context)).not.toContain(
      "the secret",
    );
  });

  test("take a backslash in a folder's name for what it is", async () => {
    await mkdir(join(outer, "work/x"));
    await mkdir(join(outer, "work/x\\..\\.."));
    await writeFile(join(outer, "work/x\\..\\../inside"), "");
    expect(await globTool().execute({ pattern: "**", path: "x\\..\\.." }, context)).toBe("x\\..\\../inside");
  });
});

test("writing to a file that has a second name outside gives the work folder a file of its own", async () => {
  await link(join(outer, "victim/secret"), join(outer, "work/hard"));
  await TOOLS.WriteFile?.("hard");
  await expect(readFile(join(outer, "work/hard"), "utf8")).resolves.toBe("mine");
  await expect(readFile(join(outer, "victim/secret"), "utf8")).resolves.toBe("the secret");
});
