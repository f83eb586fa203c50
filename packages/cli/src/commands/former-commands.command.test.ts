import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const sandbox = new CommandSandbox();

test.each([
  [["describe"], ["explain", "--script"], "explain EVENT --script"],
  [["describe", "before_tool", "--json"], ["explain", "before_tool", "--script", "--json"], "explain EVENT"],
  [["describe", "before_tol"], ["explain", "before_tol", "--script"], "explain EVENT --script"],
  [["insights"], ["log", "--summary"], "log --summary"],
  [["insights", "--local"], ["log", "--summary"], "log --summary"],
  [["insights", "--since", "0d", "--json"], ["log", "--summary", "--since", "0d", "--json"], "log --summary"],
  [["resume", "ses_1", "hi"], ["run", "--resume", "ses_1", "hi"], "run --resume SESSION"],
  [["events", "--follow"], ["runs", "--follow"], "runs --follow"],
  [["webhook-key", "rotate"], ["tokens", "webhook-key", "rotate"], "tokens webhook-key"],
])("%j prints what %j does, ends as it does, and names it", async (former, now, named) => {
  const [before, after] = await Promise.all([former, now].map((args) => sandbox.run(args)));
  expect({ code: before?.code, stdout: withoutTimes(before?.stdout) }).toEqual({
    code: after?.code,
    stdout: withoutTimes(after?.stdout),
  });
  expect(before?.stderr).toContain(`tenterhook: ${former[0]} is now: tenterhook ${named}`);
  expect(after?.stderr).not.toContain("is now");
});

test("the overview does not list a former name", async () => {
  const { stdout } = await sandbox.run([]);
  for (const name of ["describe", "insights", "resume", "events", "webhook-key"])
    expect(stdout).not.toMatch(new RegExp(`^  ${name} `, "m"));
});

test("events without --follow names what shows past events", async () => {
  const { code, stderr } = await sandbox.run(["events"]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("runs events ID") });
});

function withoutTimes(text: string | undefined): string | undefined {
  return text?.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}
