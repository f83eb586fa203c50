import { expect, test } from "vitest";
import { TestDashboard } from "./test-dashboard.ts";

test("after a restart of the coordinator the banner disappears, no event is missed, and live updates continue", async () => {
  const dashboard = await TestDashboard.start({ url: undefined });
  await dashboard.fleet.answer({ name: "echo" }, {});
  const live = await dashboard.open("/live");
  const sessions = await dashboard.open("/sessions");
  const start = (message: string) =>
    dashboard.fleet.run("echo", { message }, { execution_mode: "async_poll" });
  const first = await start("before");
  const runLink = (run_id: string) => live.getByRole("link", { name: `run_…${run_id.slice(-6)}` });
  await runLink(first.run_id).waitFor();
  await sessions.getByRole("list", { name: "Sessions" }).waitFor();

  const banners = [live, sessions].map((page) => page.getByText("Reconnecting"));
  await dashboard.fleet.restart(async () => {
    for (const banner of banners) await banner.waitFor();
  });
  // Before the pages have reconnected.
  const meanwhile = await start("meanwhile");
  for (const banner of banners) await banner.waitFor({ state: "hidden" });
  await runLink(meanwhile.run_id).waitFor();
  await expect
    .poll(() => sessions.getByRole("list", { name: "Sessions" }).getByRole("listitem").count())
    .toBe(2);
  const last = await start("after");
  await runLink(last.run_id).waitFor();
  await expect
    .poll(() =>
      live
        .getByRole("log")
        .getByRole("button", { name: /^run_created/ })
        .count(),
    )
    .toBe(3);
});
