import { describe, expect, test } from "vitest";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";

const BASH = "claude/PreToolUse.Bash";
const LARGE = "12345678901234567890";
const answerOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput;

/** Sends a call whose input has a number in the form that its text has here. */
function send(sandbox: BridgeSandbox, number: string) {
  const input = { command: "ls", limits: { rows: "@" } };
  const payload = JSON.stringify(sandbox.payload(BASH, { tool_input: input, tool_use_id: number }));
  return sandbox.send(BASH, {}, { stdin: payload.replace('"@"', number) });
}

/** A script that returns the input that it reads with another command. */
const ECHOING = [
  "node -e '",
  'let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => {',
  "const { tool_input: input } = JSON.parse(text);",
  'console.log(JSON.stringify({ modified_input: { ...input, command: "pwd" } }));',
  "})'",
].join("");

describe("a number that cannot be printed again", () => {
  test("reaches the client unchanged where no hook rewrites the call: nothing is printed", async () => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("quiet", { fields: ["on_error: block"], script: "exit 0" });
    expect(await send(sandbox, LARGE)).toEqual({ stdout: "", stderr: "", exit: 0 });
  });

  test("makes a rewrite of another field fail, and the failure names the field and the number", async () => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("rewrite", { fields: ["on_error: block"], script: ECHOING });
    const { exit, stderr } = await send(sandbox, LARGE);
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(`the number ${LARGE} at tool_input.limits.rows`),
    });
  });

  test("lets the call pass as it came where the failing hook has on_error: continue, and says so", async () => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("rewrite", { fields: ["on_error: continue"], script: ECHOING });
    const { exit, stdout, stderr } = await send(sandbox, LARGE);
    expect(exit).toBe(0);
    expect(stdout).not.toContain("updatedInput");
    expect(`${stdout}${stderr}`).toContain(`the number ${LARGE} at tool_input.limits.rows`);
  });

  test("does not keep a hook from changing the number itself into text", async () => {
    const sandbox = new BridgeSandbox();
    const script = `echo '{"modified_input":{"command":"pwd","limits":{"rows":"${LARGE}"}}}'`;
    sandbox.hook("rewrite", { fields: ["on_error: block"], script });
    const { updatedInput } = answerOf((await send(sandbox, LARGE)).stdout);
    expect(updatedInput).toEqual({ command: "pwd", limits: { rows: LARGE } });
  });

  test("of a hook's own rewrite fails that hook", async () => {
    const sandbox = new BridgeSandbox();
    const script = `echo '{"modified_input":{"command":"pwd","limits":{"rows":${LARGE}}}}'`;
    sandbox.hook("rewrite", { fields: ["on_error: block"], script });
    const { exit, stderr } = await send(sandbox, "7");
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(`modified_input.limits.rows is ${LARGE}`),
    });
  });

  test("and would be shown to a guard as null refuses the call, whatever its on_error", async () => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: ["on_error: continue"], script: "exit 0" });
    const { exit, stderr } = await send(sandbox, "1e400");
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining("tool_input.limits.rows") });
  });
});

test.each(["7", "0.5", "9007199254740991", "100000000000000000000", "1e25"])(
  "a rewrite of another field leaves the number %s what it is",
  async (number) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("rewrite", { fields: ["on_error: block"], script: ECHOING });
    const { updatedInput } = answerOf((await send(sandbox, number)).stdout);
    expect(updatedInput).toEqual({ command: "pwd", limits: { rows: Number(number) } });
  },
);
