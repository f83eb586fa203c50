import { type ServedCoordinator, serveCoordinator } from "@tenterhook/coordinator";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client } from "./client.ts";
import { CoordinatorDouble } from "./coordinator-double.ts";
import { RunnerSandbox } from "./runner-sandbox.ts";

// Output of programs that could harm a runner, with the real coordinator. The runner has one slot: a run that keeps it blocks the next.

const folder = temporaryFolder();
let served: ServedCoordinator;
const client = new Client(() => served);

beforeAll(async () => {
  served = await serveCoordinator({ folder, port: 0 });
});
afterAll(() => served.close());

const program = (name: string, script: string): BlueprintInput => ({
  name,
  type: "procedural",
  command: [process.execPath, "-e", script],
});

const DEEP = `'{"a":'.repeat(5000) + 1 + '}'.repeat(5000)`;

test("a program's output, however odd, ends its run with a reason and leaves the slot free", async () => {
  const sandbox = new RunnerSandbox(served);
  await sandbox.start({ concurrency: 1 });
  const execute = async (name: string, script: string) => {
    await client.put(program(name, script));
    return client.run(name, {});
  };
  expect(await execute("deep", `console.log(${DEEP})`)).toMatchObject({
    status: "failed",
    error_code: "json_limit",
    error: expect.stringContaining("nested deeper than 200 levels: it has 5000 levels"),
  });
  expect(await execute("large", `console.log(JSON.stringify({ a: "x".repeat(2e6) }))`)).toMatchObject({
    status: "failed",
    error_code: "result_refused",
    error: expect.stringContaining("larger than 1048576 bytes"),
  });
  expect(await execute("huge", `process.stdout.write("x".repeat(2e7))`)).toMatchObject({
    status: "failed",
    error_code: "program_failed",
  });
  expect(await execute("odd", `console.log(JSON.stringify({ a: "\\0-\\ud800" }))`)).toMatchObject({
    status: "completed",
    result_data: { a: "\ufffd-\ufffd" },
  });
  expect(await execute("brackets", `console.log("[".repeat(5000))`)).toMatchObject({
    status: "completed",
    result_text: "[".repeat(5_000),
  });
  expect(await execute("deep-log", `console.error(${DEEP}); console.log("{}")`)).toMatchObject({
    status: "completed",
  });
  expect(sandbox.lines.filter((line) => line.includes("cannot be reached"))).toEqual([]);
});

test("a report that is refused permanently ends the run with that reason, for every kind of report", async () => {
  const coordinator = await CoordinatorDouble.start();
  const sandbox = new RunnerSandbox(coordinator);
  await sandbox.start({ concurrency: 1 });
  coordinator.intercept = ({ path, body }) =>
    path.endsWith("/completed") || JSON.stringify(body ?? "").includes("exit code 3") ? 400 : undefined;
  const refused = coordinator.offer({ command: ["echo", "done"] });
  expect((await coordinator.ending(refused)).body).toMatchObject({
    error_code: "result_refused",
    error: "the coordinator refused the result: refused: by_the_test",
  });
  const failed = coordinator.offer({ command: ["sh", "-c", "exit 3"] });
  expect((await coordinator.ending(failed)).body).toMatchObject({
    error_code: "result_refused",
    error: expect.stringContaining("refused the report that it failed"),
  });
});
