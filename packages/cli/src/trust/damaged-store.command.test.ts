import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const CLAUDE = ["bridge", "--client", "claude", "--event", "PreToolUse"];
const PLAIN = { NO_COLOR: "1" };

function bash(cwd: string, command: string, id: string): string {
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: id };
  return JSON.stringify({ session_id: "s1", cwd, hook_event_name: "PreToolUse", ...call });
}

const stateOf = ({ home }: CommandSandbox) => join(home, ".local", "state", "tenterhook");
const storeOf = (sandbox: CommandSandbox) => join(stateOf(sandbox), "trust.json");

/** A project with two trusted guards, and a guard of the user. */
async function guarded(): Promise<CommandSandbox> {
  const sandbox = new CommandSandbox();
  const guard = (name: string, onError: string, scope: "user" | "project") =>
    sandbox.hook(name, {
      scope,
      fields: [`on_error: ${onError}`, `matcher: { pattern: ${name} }`],
      script: `echo 'refused by ${name}' >&2; exit 2`,
    });
  guard("mine", "continue", "user");
  guard("strict", "block", "project");
  guard("lenient", "continue", "project");
  await sandbox.onTerminal(["trust", "--all"], ["y"]);
  return sandbox;
}

function instead(make: (path: string) => void): (path: string) => void {
  return (path) => {
    rmSync(path);
    make(path);
  };
}

const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
  ["with JSON of another shape", (path) => writeFileSync(path, '{"version":1,"hooks":[null],"tomls":{}}')],
  ["that is cut", (path) => writeFileSync(path, readFileSync(path, "utf8").slice(0, 200))],
  ["that is a folder", instead((path) => mkdirSync(path))],
  ["that is a link to itself", instead((path) => symlinkSync(path, path))],
];

test.each(DAMAGES)(
  "the bridge and the commands say so when they meet a trust.json %s, and the user's guard is asked",
  async (_, damage) => {
    const sandbox = await guarded();
    damage(storeOf(sandbox));
    const send = (command: string) => sandbox.run(CLAUDE, { input: bash(sandbox.project, command, command) });
    expect(await send("mine")).toMatchObject({ code: 2, stderr: "refused by mine\n" });
    expect(await send("strict")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/strict.*it is not known what is trusted: .*trust\.json cannot be used/),
    });
    const passed = await send("lenient");
    expect(passed.code).toBe(0);
    expect(passed.stdout).toContain("it is not known what is trusted");

    const list = await sandbox.run(["list"]);
    expect(list.stdout).toMatch(/strict .* unknown$/m);
    expect(list.stderr).toContain("it is not known what is trusted");
    const input = JSON.stringify({ command: "strict" });
    const explained = await sandbox.run(["explain", "before_tool", "--tool", "Shell", "--input", input]);
    expect(explained.stdout).toMatch(/strict .*blocks .*what is trusted cannot be read/);
    const doctor = await sandbox.run(["doctor"]);
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringContaining("it is not known what is trusted"),
    ]);
    const trusted = await sandbox.run(["trust", "--list"]);
    expect([trusted.code, trusted.stderr]).toEqual([1, expect.stringContaining("cannot be used")]);
    expect(readdirSync(stateOf(sandbox)).filter((name) => name.includes("unreadable"))).toEqual([]);
  },
);

test.each(DAMAGES)(
  "trust puts a trust.json %s aside after a yes, says where, and trusts from nothing",
  async (_, damage) => {
    const sandbox = await guarded();
    damage(storeOf(sandbox));
    const no = await sandbox.onTerminal(["trust"], ["n"], PLAIN);
    expect(no.code).toBe(1);
    expect(readdirSync(stateOf(sandbox)).filter((name) => name.includes("unreadable"))).toEqual([]);
    const { code, stdout } = await sandbox.onTerminal(["trust"], ["y", "n", "y"], PLAIN);
    const [aside = ""] = readdirSync(stateOf(sandbox)).filter((name) => name.includes("unreadable"));
    expect(stdout.replaceAll(/\s+/g, "")).toContain(
      `itisnow${stateOf(sandbox)}/${aside}`.replaceAll(/\s+/g, ""),
    );
    expect(stdout).toContain("1 trusted, not trusted: lenient");
    expect(code).toBe(1);
    expect((await sandbox.run(["list"])).stdout).toMatch(/lenient .* untrusted$/m);
    expect((await sandbox.run(["list"])).stdout).toMatch(/strict .* trusted$/m);
  },
);

test("what is revoked stays revoked after the file was put aside", async () => {
  const sandbox = await guarded();
  await sandbox.onTerminal(["trust", "--revoke", "lenient"]);
  writeFileSync(storeOf(sandbox), "null");
  const { stdout } = await sandbox.onTerminal(["trust", "--revoke", "--all"], ["y"], PLAIN);
  expect(stdout).toContain("No trusted hooks here.");
  expect(existsSync(storeOf(sandbox))).toBe(false);
  const { stdout: list } = await sandbox.run(["list"]);
  expect(list.match(/untrusted$/gm)).toHaveLength(2);
});
