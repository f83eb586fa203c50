import { join } from "node:path";
import { fileHooks } from "@tenterhook/file-hooks";
import { Sandbox } from "@tenterhook/test-support/sandbox";
import { describe, expect, test } from "vitest";
import { readSupport } from "../../core/index.ts";
import type { Driver } from "./scenario.ts";
import { oneCall } from "./script-parts.ts";

/** Tests that hooks in files are enforced in a framework, as the command enforces them, and recorded. */
export function testFileHooks(driver: Driver): void {
  describe(`hooks in files, in ${driver.name}`, () => {
    test("refuse a tool call with their reason, which the audit trail has when the set is closed", async () => {
      const sandbox = new Sandbox();
      const script = 'echo "not on a Friday" >&2; exit 2';
      sandbox.writeHook(join(sandbox.userHooks, "friday"), { script });
      const { executed, requests } = await run(driver, sandbox);
      expect(executed).toEqual([]);
      expect(requests.at(-1)).toContain("not on a Friday");
      const records = sandbox.read(join(sandbox.state, "audit.jsonl")).trim().split("\n");
      const record = records.find((line) => line.includes("before_tool"));
      expect(record).toContain("friday");
      expect(record).toContain("not on a Friday");
    });

    test("of a project are not run until they are trusted", async () => {
      const sandbox = new Sandbox();
      const script = 'echo "not on a Friday" >&2; exit 2';
      sandbox.writeHook(join(sandbox.projectHooks, "friday"), { script });
      const untrusted = await run(driver, sandbox);
      expect(untrusted.executed).toEqual(["ls"]);
      const trusted = await run(driver, sandbox, { trustAll: true });
      expect(trusted.executed).toEqual([]);
      expect(trusted.requests.at(-1)).toContain("not on a Friday");
    });

    const event = readSupport(driver.support, "pre_compact").level === "none" ? "pre_compact" : "before_llm";

    test(`that appear later on an event that is not fired refuse the next run, or are reported: ${event}`, async () => {
      const appear = (onError: string, sandbox: Sandbox) => () =>
        sandbox.writeHook(join(sandbox.userHooks, "late"), {
          trigger: event,
          fields: [`on_error: ${onError}`],
          script: "exit 0",
        });
      const [first, second] = [new Sandbox(), new Sandbox()];
      const refused = await run(driver, first, {}, appear("block", first));
      expect(refused.requests).toEqual([]);
      expect(`${refused.text} ${refused.error}`).toContain(`hook "late" on ${event}`);
      const reported = await run(driver, second, {}, appear("continue", second));
      expect(reported.executed).toEqual(["ls"]);
    });
  });
}

/** One run with a tool call. `appear` writes files after the set was read, and before the agent is built. */
async function run(
  driver: Driver,
  { home, project }: Sandbox,
  options: { readonly trustAll?: boolean } = {},
  appear?: () => void,
) {
  const set = await fileHooks({
    ...options,
    cwd: project,
    env: { HOME: home },
    guardProcesses: false,
    log: () => undefined,
  });
  appear?.();
  const executed: string[] = [];
  const execute = ({ command }: { readonly command: string }) => {
    executed.push(command);
    return `ran ${command}`;
  };
  const result = await driver.run({
    hooks: set,
    tools: [{ name: "Shell", takesPaths: false, execute }],
    script: oneCall,
    prompt: "Hello",
    subagents: {},
    isStreamed: false,
    decision: "approve",
    signal: new AbortController().signal,
    onText: () => undefined,
  });
  await set.close();
  return { ...result, executed };
}
