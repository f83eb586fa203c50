import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, describe, expect, test } from "vitest";

const CLONE = fileURLToPath(new URL("../../../", import.meta.url));
const COMMAND = join(CLONE, "packages", "cli", "bin", "tenterhook.cjs");

/** A folder outside the clone, and one with a link to the command, as `npm link` makes it. */
let outside: string;
let links: string;
let path: string;

beforeEach(() => {
  const root = temporaryFolder();
  outside = join(root, "my project");
  links = join(root, "bin");
  mkdirSync(join(outside, ".agents", "hooks"), { recursive: true });
  mkdirSync(links);
  symlinkSync(COMMAND, join(links, "tenterhook"));
  path = process.env.PATH ?? "";
});

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a line of a shell, without variables of npm that these tests were started with. */
function shell(line: string, cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, env: { PATH: path, HOME: join(links, ".."), npm_config_offline: "true", ...env } };
    execFile("sh", ["-c", line], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

/** The next steps that `init` prints, one on each line. */
function stepsIn({ output }: Ended): readonly string[] {
  return output.slice(output.indexOf("Next:\n") + 6).match(/(?<=^ {2})\S.*$/gm) ?? [];
}

describe("a command is printed as the command was started, and runs so", () => {
  const INIT = "init guard --trigger before_tool --tool Shell --pattern 'git push --force' --user";

  test.each([
    ["by its path", () => `node ${COMMAND}`, () => `node ${COMMAND}`],
    [
      "by a path that is not on the PATH",
      () => join(links, "tenterhook"),
      () => `node ${join(links, "tenterhook")}`,
    ],
    [
      "by npm in a folder outside of its project",
      () => `npm_lifecycle_event=npx ${CLONE}node_modules/.bin/tenterhook`,
      () => `node ${CLONE}node_modules/.bin/tenterhook`,
    ],
  ])("%s", async (_, started, printed) => {
    const steps = stepsIn(await shell(`${started()} ${INIT}`, outside));
    expect(steps.slice(0, 2).map((step) => step.split(" ").slice(0, 3).join(" "))).toEqual([
      `${printed()} check`,
      `${printed()} test`,
    ]);
    for (const step of steps.slice(0, 2)) expect(await shell(step, outside)).toMatchObject({ code: 0 });
  });

  test("by its name, after npm link", async () => {
    path = `${links}:${path}`;
    const steps = stepsIn(await shell(`tenterhook ${INIT}`, outside));
    expect(steps[0]).toMatch(/^tenterhook check /);
    for (const step of steps.slice(0, 2)) expect(await shell(step, outside)).toMatchObject({ code: 0 });
  });

  test("by npx in the clone", async () => {
    const steps = stepsIn(await shell(`npx tenterhook ${INIT}`, CLONE));
    expect(steps[0]).toMatch(/^npx tenterhook check /);
    for (const step of steps.slice(0, 2)) expect(await shell(step, CLONE)).toMatchObject({ code: 0 });
  });

  test("a path with a space is quoted", async () => {
    const link = join(outside, "tenterhook");
    symlinkSync(COMMAND, link);
    const steps = stepsIn(await shell(`'${link}' ${INIT}`, outside));
    expect(steps[0]).toMatch(`node '${link}' check `);
    expect(await shell(steps[0] ?? "", outside)).toMatchObject({ code: 0 });
  });

  test("also in the help of a command, and in an error", async () => {
    const { output } = await shell(
      `node ${COMMAND} list --help; node ${COMMAND} lst; node ${COMMAND} list`,
      outside,
    );
    expect(output).toContain(`Usage: node ${COMMAND} list`);
    expect(output).toContain(`  node ${COMMAND} list\n`);
    expect(output).toContain(`Write one: node ${COMMAND} init my-hook`);
    expect(output.replaceAll(`node ${COMMAND}`, "")).not.toMatch(/(?<![-./\w])tenterhook [a-z]/);
  });
});
