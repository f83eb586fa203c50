import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Approval, Run } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RunningCommands } from "../testing/running-commands.ts";

const commands = new RunningCommands();

/** A program that returns a value, as an agent. */
async function put(name: string, value: object, more: object = {}): Promise<void> {
  const module = join(commands.root, `${name}.mjs`);
  writeFileSync(module, `export default () => (${JSON.stringify(value)});`);
  const file = join(commands.root, `${name}.json`);
  writeFileSync(file, JSON.stringify({ name, type: "procedural", module, ...more }));
  expect((await commands.run(["agents", "put", file])).code).toBe(0);
}

beforeAll(async () => {
  const coordinator = commands.start(["serve", "--port", "0"]);
  await coordinator.printed(/data +\S+/);
  const runner = commands.start(["runners", "start", "--name", "one"]);
  await runner.printed(/takes \d+ at a time/);
  await put("asker", { action: "ask", reason: "deploys", not_by: "requester" });
  const hooks = { on_run_start: { type: "agent", agent_name: "asker", on_error: "block" } };
  await put("deployer", { deployed: true }, { hooks });
});
afterAll(() => commands.close());

const tokenFor = async (name: string, scope: string) => {
  const { stdout, stderr } = await commands.run(["tokens", "create", "--name", name, "--scope", scope]);
  expect(stderr).toContain(`scope ${scope}`);
  return ["--token", stdout.trim()];
};

test("a reviewer decides what the requester and its maker cannot, and reads who requested it", async () => {
  const ana = await tokenFor("ana", "admin");
  const rita = await tokenFor("rita", "reviewer");
  const started = await commands.run(["run", "deployer", "--detach", "--json", ...ana]);
  const { run_id } = JSON.parse(started.stdout) as Run;
  const pending = async () =>
    (await commands.get<{ approvals: Approval[] }>(`/approvals?run=${run_id}`)).approvals;
  await expect.poll(pending).toHaveLength(1);
  const id = (await pending())[0]?.approval_id ?? "";
  expect((await commands.run(["approvals", ...ana])).stdout).toContain("pending, not by you");
  expect((await commands.run(["approvals", ...rita])).stdout).toContain("pending, not by requester");
  const shown = (await commands.run(["approvals", "show", id, ...ana])).stdout;
  expect(shown).toContain("Not by the requester: ana.");
  expect(shown).toContain("You cannot decide it: you started this run; another person must decide.");
  for (const access of [ana, []]) {
    const refused = await commands.run(["approvals", "approve", id, ...access]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("another person must decide");
    expect(refused.stderr).toContain("the scope reviewer or admin");
  }
  expect((await commands.run(["runs", ...rita])).stderr).toContain(
    `the scope "reviewer" does not allow this`,
  );
  expect((await commands.run(["runs", "show", run_id, ...rita])).stdout).toContain("deployer");
  expect((await commands.run(["approvals", "approve", id, ...rita])).stdout).toBe(`${id} approved\n`);
  await expect
    .poll(() => commands.get<Run>(`/runs/${run_id}`))
    .toMatchObject({ status: "completed", result_data: { deployed: true } });
  expect((await commands.run(["approvals", "show", id, ...rita])).stdout).toMatch(/^Decided by rita at /m);
});
