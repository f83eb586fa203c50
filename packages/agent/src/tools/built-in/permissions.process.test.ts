import { execFile } from "node:child_process";
import { chmod, chown, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, expect, test } from "vitest";

const NOBODY = 65_534;

let workDir: string;
beforeEach(async () => {
  const made = temporaryFolder();
  workDir = made;
});

/** Uses a tool as a user to whom permissions apply, unlike root. */
async function asOrdinaryUser(tool: string, input: object): Promise<string> {
  const tools = new URL("../../../dist/tools/built-in/index.js", import.meta.url).href;
  const program = `
    const { builtInTools } = await import(${JSON.stringify(tools)});
    const tool = builtInTools({ workDir: ${JSON.stringify(workDir)} })[${JSON.stringify(tool)}];
    if (process.getuid() === 0) {
      process.setgid(${NOBODY});
      process.setuid(${NOBODY});
    }
    const context = { abortSignal: new AbortController().signal };
    const done = await tool.execute(${JSON.stringify(input)}, context).catch((error) => "error: " + error.message);
    process.stdout.write(done);
  `;
  if (process.getuid?.() === 0) await chown(workDir, NOBODY, NOBODY);
  return (await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program])).stdout;
}

test("a file that is read-only is left alone", async () => {
  await writeFile(join(workDir, "file"), "precious", { mode: 0o444 });
  expect(await asOrdinaryUser("WriteFile", { file_path: "file", content: "new" })).toMatch(
    /^error:.*permission denied/,
  );
  expect(await readFile(join(workDir, "file"), "utf8")).toBe("precious");
});

test("a search covers readable files, and counts the others", async () => {
  await writeFile(join(workDir, "secret"), "x");
  await chmod(join(workDir, "secret"), 0);
  expect(await asOrdinaryUser("Grep", { pattern: "x" })).toBe(
    "[no matches]\n[files too large or not readable, and not searched: 1]",
  );
});
