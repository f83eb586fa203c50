import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { CoordinatorDouble } from "./coordinator-double.ts";
import { RunnerSandbox } from "./runner-sandbox.ts";

async function fleet() {
  const coordinator = await CoordinatorDouble.start();
  const sandbox = new RunnerSandbox(coordinator);
  /** Executes one run and returns its report. */
  const execute = async (agent: Partial<BlueprintInput>, parameters: Record<string, unknown> = {}) => {
    const run = coordinator.offer(agent, { parameters });
    const { kind, body } = await coordinator.ending(run);
    const { lease_token: _, ...facts } = body;
    return { run, kind, facts, events: coordinator.eventsOf(run).map(({ type, data }) => ({ type, data })) };
  };
  return { coordinator, sandbox, execute };
}

test("a command gets its parameters as JSON, its result is JSON, and its standard error is reported line by line", async () => {
  const { sandbox, execute } = await fleet();
  await sandbox.start();
  const { kind, facts, events } = await execute(
    { command: ["sh", "-c", "echo reading >&2; cat; echo read >&2"] },
    { city: "Zürich", nested: { n: [1, 2] } },
  );
  expect([kind, facts]).toEqual([
    "completed",
    { result_text: null, result_data: { city: "Zürich", nested: { n: [1, 2] } } },
  ]);
  expect(events).toEqual([
    { type: "log", data: { source: "stderr", text: "reading" } },
    { type: "log", data: { source: "stderr", text: "read" } },
  ]);
});

test("a command that fails is a failure with the end of its standard error", async () => {
  const { sandbox, execute } = await fleet();
  await sandbox.start();
  const { kind, facts } = await execute({ command: ["sh", "-c", "echo it broke >&2; echo '{}'; exit 3"] });
  expect([kind, facts]).toEqual([
    "failed",
    { error: "it ended with exit code 3:\nit broke", error_code: "program_failed" },
  ]);
  expect((await execute({ command: ["sh", "-c", "kill -9 $$"] })).facts.error).toMatch(/ended by SIGKILL/);
  expect((await execute({ command: ["/no/such/program"] })).facts.error).toMatch(
    /could not be started: .*ENOENT/,
  );
});

test("an output that does not fit the schema is a failure before it is reported", async () => {
  const { sandbox, execute } = await fleet();
  await sandbox.start();
  const output_schema = { type: "object", required: ["total"], properties: { total: { type: "number" } } };
  const agent = { command: ["cat"], output_schema };
  expect((await execute(agent, { total: 3 })).facts).toMatchObject({ result_data: { total: 3 } });
  expect(await execute(agent, { total: "three" })).toMatchObject({
    kind: "failed",
    facts: { error_code: "bad_output", error: expect.stringContaining("result/total must be number") },
  });
});

test("a command gets no secrets of the environment unless they are allowed, and the ids of its run", async () => {
  const { sandbox, execute } = await fleet();
  const secrets = { MY_API_KEY: "k", DEPLOY_TOKEN: "t", HARMLESS: "h" };
  await sandbox.start({ environment: { ...sandbox.env, ...secrets }, env: ["DEPLOY_TOKEN"] });
  const script = "console.log(JSON.stringify(process.env))";
  const { facts, run } = await execute({ name: "printer", command: [process.execPath, "-e", script] });
  const seen = facts.result_data as Record<string, string>;
  expect([seen.MY_API_KEY, seen.DEPLOY_TOKEN, seen.HARMLESS]).toEqual([undefined, "t", "h"]);
  expect(seen).toMatchObject({
    TENTERHOOK_AGENT: "printer",
    TENTERHOOK_RUN_ID: run.run_id,
    TENTERHOOK_SESSION_ID: run.session_id,
    TENTERHOOK_ATTEMPT: "1",
  });
});

test("a session finds what it left in its folder, another one does not, and hooks leave nothing", async () => {
  const { coordinator, sandbox } = await fleet();
  await sandbox.start();
  const write = { command: ["sh", "-c", "echo kept > notes; pwd"] };
  const read = { command: ["sh", "-c", "cat notes || echo nothing"] };
  const result = async (agent: object, session_id: string, kind: "client" | "hook" = "client") =>
    (await coordinator.ending(coordinator.offer(agent, { session_id, kind }))).body.result_text;
  expect(await result(write, "ses_a")).toBe(join(sandbox.dataDir, "work", "ses_a"));
  expect(await result(read, "ses_a")).toBe("kept");
  expect(await result(read, "ses_b")).toBe("nothing");
  await result(write, "ses_hook", "hook");
  await result(write, "../../escape");
  const folders = () =>
    readdirSync(join(sandbox.dataDir, "work")).filter((name) => !/^[0-9a-f]{64}$/.test(name));
  await expect.poll(() => folders().sort()).toEqual(["ses_a", "ses_b"]);
  expect(readdirSync(sandbox.root)).not.toContain("escape");
});

test("a configured work folder is used by all runs", async () => {
  const { sandbox, execute } = await fleet();
  await sandbox.start({ workDir: sandbox.project });
  expect((await execute({ command: ["pwd"] })).facts.result_text).toBe(sandbox.project);
});

test("a module's default export is called with the parameters, and what it logs does not spoil its result", async () => {
  const { sandbox, execute } = await fleet();
  await sandbox.start();
  sandbox.write(
    join(sandbox.root, "double.mjs"),
    `export default async ({ n }) => {
       console.log("doubling", n);
       setInterval(() => {}, 1_000);
       return { n: n * 2 };
     };`,
  );
  const { kind, facts, events } = await execute({ module: "./double.mjs" }, { n: 21 });
  expect([kind, facts]).toEqual(["completed", { result_text: null, result_data: { n: 42 } }]);
  expect(events).toEqual([{ type: "log", data: { source: "stderr", text: "doubling 21" } }]);
});

test("a module may be a package of the runner's folder", async () => {
  const { sandbox, execute } = await fleet();
  await sandbox.start();
  const folder = join(sandbox.root, "node_modules", "doubler");
  sandbox.write(join(folder, "package.json"), '{ "name": "doubler", "type": "module", "main": "main.js" }');
  sandbox.write(join(folder, "main.js"), "export default ({ n }) => ({ n: n * 2 });");
  expect((await execute({ module: "doubler" }, { n: 4 })).facts.result_data).toEqual({ n: 8 });
});

test.each([
  ["throw", 'export default () => { throw new Error("no luck") };', /exit code 1:[\s\S]*no luck/],
  ["have no function", "export default 3;", /no function as its default export/],
  ["are broken", "export default (", /SyntaxError/],
  ["end their process", "export default () => process.exit(7);", /exit code 7/],
])("modules that %s fail with the reason", async (_, text, error) => {
  const { sandbox, execute } = await fleet();
  await sandbox.start();
  sandbox.write(join(sandbox.root, "agent.mjs"), text);
  const { kind, facts } = await execute({ module: "./agent.mjs" });
  expect(kind).toBe("failed");
  expect(facts.error).toMatch(error);
});
