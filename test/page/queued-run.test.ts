import { ApiClient, TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsAtBothWidths } from "./axe-findings.ts";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  await dashboard.fleet.program({ name: "plain" }, "");
  await dashboard.fleet.program({ name: "drawer", tags: ["gpu", "eu"] }, "");
});
afterAll(() => dashboard?.close());

const start = (agent: string) => dashboard.fleet.run(agent, {}, { execution_mode: "async_poll" });

test("a queued run shows why it waits and what to do, and follows the queue without a reload", async () => {
  const { run_id } = await start("drawer");
  const page = await dashboard.open(`/runs/${run_id}`);
  const alert = page.getByRole("region", { name: "Waiting for a runner" });
  await alert.getByText("No runner is connected.").waitFor();
  await alert.getByText(/^tenterhook runners start --url .* --tags gpu,eu$/).waitFor();
  const client = new ApiClient(dashboard.url, dashboard.fleet.served.token);
  await TestRunner.register(client, { tags: ["gpu"] });
  await alert.getByText("No connected runner has the tags gpu, eu.").waitFor();
  const able = await TestRunner.register(client, { tags: ["gpu", "eu"], concurrency: 1 });
  const earlier = await start("plain");
  const first = await able.claim();
  expect([run_id, earlier.run_id]).toContain(first.run_id);
  const later = await start("drawer");
  await page.goto(`${dashboard.url}/runs/${later.run_id}`);
  await alert.getByText(/The only slot of the runners .* is busy\./).waitFor();
  await alert.getByText("Its position in the queue is 2.", { exact: false }).waitFor();
  await able.complete(first);
  await alert.getByText("One run is ahead of it in the queue.").waitFor();
  await able.complete(await able.claim());
  await able.complete(await able.claim());
  await page.getByText("completed", { exact: true }).first().waitFor();
  await alert.waitFor({ state: "detached" });
});

test("a queued run is accessible in light and dark, and fits, on a desktop and a phone", async () => {
  await dashboard.fleet.program({ name: "elsewhere", tags: ["a-place-that-no-runner-has"] }, "");
  const { run_id } = await start("elsewhere");
  const page = await dashboard.open(`/runs/${run_id}`);
  await page.getByRole("region", { name: "Waiting for a runner" }).waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
});
