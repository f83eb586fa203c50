import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Sandbox } from "./testing/sandbox.ts";
import { VERBS } from "./verbs.ts";

describe("tenterhook", () => {
  test("alone, --help and help print the overview with every verb", async () => {
    const sandbox = new Sandbox();
    const runs = await Promise.all([[], ["--help"], ["help"]].map((args) => sandbox.run(args)));
    for (const { code, stdout } of runs) {
      expect(code).toBe(0);
      for (const verb of Object.keys(VERBS)) expect(stdout).toMatch(new RegExp(`^  ${verb} `, "m"));
    }
  });

  test("--version prints the version of its package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(await new Sandbox().run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test.each([
    ["lst", 'there is no verb "lst".\nDid you mean list?'],
    ["exp", "Did you mean explain?"],
    ["--versoin", "there is no option --versoin.\nDid you mean --version?"],
    ["frobnicate", "Run tenterhook --help"],
  ])("%s is refused with what was probably meant", async (verb, message) => {
    const { code, stdout, stderr } = await new Sandbox().run([verb]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  test.each(Object.keys(VERBS))("%s --help shows its options and an example", async (verb) => {
    const { code, stdout } = await new Sandbox().run([verb, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: tenterhook ${verb}`);
    expect(stdout).toContain("--json");
    expect(stdout).toMatch(new RegExp(`^Examples?:\n  tenterhook ${verb}`, "m"));
  });

  test.each([
    [["list", "--al"], "there is no option --al.\nDid you mean --all?"],
    [["list", "--json=yes"], "--json takes no value."],
    [["list", "surplus"], '"surplus" is one word too many.'],
    [["explain", "before_tool", "--tool"], "--tool needs a value."],
    [["explain", "before_tool", "--tool", "--json"], "--tool needs a value."],
    [["explain"], "Write: tenterhook explain EVENT"],
  ])("%j is a usage error that says what to do", async (args, message) => {
    const { code, stderr } = await new Sandbox().run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test("an error is JSON on standard output where JSON was asked for, and nothing there otherwise", async () => {
    const sandbox = new Sandbox();
    const [plain, json] = await Promise.all([
      sandbox.run(["explain", "before_tol"]),
      sandbox.run(["explain", "before_tol", "--json"]),
    ]);
    expect(plain.stdout).toBe("");
    expect(JSON.parse(json.stdout)).toEqual({
      error: { message: 'there is no event "before_tol".', hint: "Did you mean before_tool?" },
    });
  });

  test("is coloured on a terminal, and nowhere else, and not with NO_COLOR", async () => {
    const sandbox = new Sandbox();
    const [piped, terminal, quiet] = await Promise.all([
      sandbox.run(["--help"]),
      sandbox.onTerminal(["--help"]),
      sandbox.onTerminal(["--help"], [], { NO_COLOR: "1" }),
    ]);
    expect(piped.stdout).not.toContain("\u001B");
    expect(terminal.stdout).toContain("\u001B[1m");
    expect(quiet.stdout).toBe(piped.stdout);
  });
});
