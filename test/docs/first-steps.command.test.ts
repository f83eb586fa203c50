import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { CommandSandbox } from "../../packages/cli/src/testing/command-sandbox.ts";
import { readCommands } from "../../scripts/first-steps/page-commands.ts";
import { comparable, pageProblems } from "../../scripts/first-steps/page-problems.ts";
import { readerEnvironment } from "../../scripts/first-steps/reader-environment.ts";
import { runCommands } from "../../scripts/first-steps/run-commands.ts";
import { ROOT, snippetsOf } from "./snippets.ts";

/** A reader with a new home folder, and a folder in which npm and npx find the packages of this checkout. */
function reader() {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  const cwd = join(folder, "tenterhook");
  mkdirSync(home);
  mkdirSync(cwd);
  for (const name of ["node_modules", "packages", "package.json"])
    symlinkSync(join(ROOT, name), join(cwd, name));
  return { cwd, env: readerEnvironment(home) };
}

test("the lines at the top of the README are what install prints on a terminal where three agents are found", async () => {
  const [shown] = snippetsOf("README.md");
  const sandbox = new CommandSandbox();
  const versions = { claude: "2.1.325", codex: "0.166.0", gemini: "0.61.0" };
  for (const [name, version] of Object.entries(versions))
    sandbox.write(join(sandbox.programs, name), `#!/bin/sh\necho ${version}\n`, 0o755);
  const env = { NO_COLOR: "1", PATH: `${sandbox.programs}:${process.env.PATH}` };
  const turns = [["[y/N] ", "y\r"]] as const;
  const { code, stdout } = await sandbox.conversation(["install"], turns, env);
  expect(code).toBe(0);
  const [, ...lines] = shown?.code.split("\n") ?? [];
  // How many rules there are is no matter of the page.
  const withoutNumbers = (text: string) => comparable(text).replaceAll(/\d+ rules/g, "N rules");
  expect(withoutNumbers(stdout)).toContain(withoutNumbers(lines.join("\n")));
});

test("the demo refuses what the README says that it refuses", async () => {
  const { env } = reader();
  const [demo] = await runCommands([{ text: "npm run demo", output: undefined }], { cwd: ROOT, env });
  expect([demo?.exitCode, demo?.output]).toEqual([
    0,
    expect.stringContaining("refused Shell rm -fr ~/ backups"),
  ]);
});

test("the list of commands on the command's page is what the command prints", async () => {
  const page = readFileSync(join(ROOT, "docs/command.md"), "utf8");
  const [, shown = "nothing"] = /^```\n\$ tenterhook\n(.*?)^```$/ms.exec(page) ?? [];
  const commands = ["npm link -w packages/cli", "tenterhook"].map((text) => ({ text, output: undefined }));
  const [, printed] = await runCommands(commands, reader());
  expect(comparable(printed?.output ?? "")).toBe(comparable(shown));
});

test("the tutorial's commands print what the tutorial shows", async () => {
  const commands = readCommands(readFileSync(join(ROOT, "docs/getting-started.md"), "utf8"));
  expect(commands.length).toBeGreaterThan(10);
  expect(pageProblems(commands, await runCommands(commands, reader()))).toEqual([]);
});

test("the agent of the README can be pasted into a file, and prints what the page shows", async () => {
  const example = snippetsOf("README.md").find(({ code }) => code.includes("createAgent("));
  const [, promised = "nothing"] = /^console\.log\(.*\); \/\/ (.+)$/m.exec(example?.code ?? "") ?? [];
  const { cwd, env } = reader();
  writeFileSync(join(cwd, "agent.mjs"), example?.code ?? "");
  const [ran] = await runCommands([{ text: "node agent.mjs", output: undefined }], { cwd, env });
  expect(ran).toMatchObject({ exitCode: 0, output: `${promised}\n` });
});

test("a page with a command that fails, or with output that is not printed, has problems", async () => {
  const page = "```sh\nfalse\n```\n\n```console\n$ echo one\ntwo\n$ (exit 3)\n$ echo $?\n3\n```\n";
  const commands = readCommands(page);
  const problems = pageProblems(commands, await runCommands(commands, reader()));
  expect(problems).toEqual([
    "$ false\nended with 1:\n",
    "$ echo one\nThe page shows:\ntwo\n\nIt printed:\none\n",
  ]);
});

test("the commands of the README that the fresh clone does not run are run by the full check", () => {
  const list = [join(ROOT, "scripts/ci.mjs"), "--full", "--list"];
  const steps = execFileSync(process.execPath, list, { encoding: "utf8" });
  expect(steps).toMatch(/^npm ci\n(?:.*\n)*npm test\n(?:.*\n)*npm run test:first-steps\n/m);
});
