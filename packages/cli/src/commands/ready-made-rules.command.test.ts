import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const RULES = fileURLToPath(new URL("../../../rules/rules", import.meta.url));

interface Tested {
  readonly passed: number;
  readonly failed: number;
  readonly hooks: readonly {
    readonly hook: string;
    readonly cases: readonly { readonly name: string; readonly passed: boolean }[];
  }[];
}

describe("the ready-made rules", () => {
  test("answer all of their cases as hooks, their scripts included", async () => {
    const sandbox = new CommandSandbox();
    // A home folder below /tmp would be a scratch folder. Nothing is written to this one.
    const env = { HOME: "/home/ann", XDG_STATE_HOME: join(sandbox.home, ".local", "state") };
    const { code, stdout } = await sandbox.run(["test", RULES, "--strict", "--json"], { env });
    const { hooks, passed, failed } = JSON.parse(stdout) as Tested;
    const wrong = hooks.flatMap(({ hook, cases }) =>
      cases.filter((each) => !each.passed).map(({ name }) => `${hook}: ${name}`),
    );
    expect({ wrong, failed, code }).toEqual({ wrong: [], failed: 0, code: 0 });
    expect(passed).toBeGreaterThan(1_300);
  });

  test("have nothing that check warns about", async () => {
    const { code, stdout } = await new CommandSandbox().run(["check", RULES]);
    expect(stdout).toMatch(/hooks checked, no findings\n$/);
    expect(code).toBe(0);
  });
});
