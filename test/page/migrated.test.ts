import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openServer } from "../../packages/coordinator/src/database/server/server-database.ts";
import { readOldStore, restoreOldStore } from "../../packages/coordinator/src/testing/old-store.ts";
import { axeFindings } from "./axe-findings.ts";
import { TestDashboard } from "./test-dashboard.ts";
import { visit } from "./visit.ts";

const store = readOldStore();
let dashboard: TestDashboard;
beforeAll(async () => {
  const url = await freshPostgres();
  const old = await openServer(url, { connections: 1 });
  await restoreOldStore(old, store);
  await old.close();
  dashboard = await TestDashboard.share({ url });
});
afterAll(() => dashboard.close());

test("every page shows what the version before names had stored, with nothing in their place", async () => {
  const page = await dashboard.open("/runs", { viewport: { width: 1440, height: 900 }, name: "ana" });
  const { runs = [], sessions = [], agents = [] } = store.tables;
  const addresses = [
    "/runs",
    "/approvals",
    "/sessions",
    "/agents",
    "/hooks",
    "/hooks/curfew",
    "/runners",
    "/live",
    ...runs.map(({ id }) => `/runs/${id}`),
    ...sessions.slice(0, 3).map(({ id }) => `/sessions/${id}`),
    ...agents.map(({ name }) => `/agents/${name}`),
  ];
  const main = page.getByRole("main");
  const found: string[] = [];
  for (const address of addresses) {
    await visit(page, address);
    const text = (await main.textContent()) ?? "";
    if (/not found|went wrong|could not|\bundefined\b| by null| by nobody| by sign-in link/i.test(text)) {
      found.push(`${address}: ${text}`);
    }
  }
  expect(found).toEqual([]);
  expect(await axeFindings(page)).toEqual([]);
  await page.goto(`${dashboard.url}/approvals`);
  await page.getByText(/approved with changes by boss, /).waitFor();
  await page.getByText(/rejected by local commands on laptop: no, /).waitFor();
  await page.getByText(/expired: no decision in time, /).waitFor();
});
