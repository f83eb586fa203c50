import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings, pageFindings } from "./axe-findings.ts";
import { TestDashboard } from "./test-dashboard.ts";

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await TestDashboard.share();
  const { fleet } = dashboard;
  await fleet.program({ name: "reporter" }, "console.log('\\nThe figures are ready.\\nSecond line');");
  await fleet.program({ name: "breaker" }, "console.error('no'); process.exit(3);");
  await fleet.runner();
  await fleet.run("reporter", { topic: "quarterly figures", path: "/srv/Zürich.csv" });
  await fleet.run("reporter", { topic: "weather" });
  await fleet.run("breaker", { topic: "quarterly losses" });
});
afterAll(() => dashboard?.close());

const agents = (page: Page) =>
  page
    .locator("tbody tr td:nth-child(2) a")
    .evaluateAll((links) => links.map((link) => link.textContent?.split(" ")[0]));
const shows = (page: Page, ...names: readonly string[]) => expect.poll(() => agents(page)).toEqual(names);

test("the slash key focuses the search, whose words are in the address", async () => {
  const page = await dashboard.open("/runs");
  await shows(page, "breaker", "reporter", "reporter");
  await page.keyboard.press("/");
  const focused = page.getByRole("searchbox", { name: "Search runs" }).and(page.locator(":focus"));
  await focused.waitFor();
  await page.keyboard.type("quarter");
  await shows(page, "breaker", "reporter");
  await expect.poll(() => new URL(page.url()).search).toBe("?search=quarter");
  await page.keyboard.type("ly zürich");
  await shows(page, "reporter");
  // A slow machine may have searched for a part of it before.
  await expect.poll(() => new URL(page.url()).searchParams.get("search")).toBe("quarterly zürich");
  await page.reload();
  await shows(page, "reporter");
  await expect
    .poll(() => page.getByRole("searchbox", { name: "Search runs" }).inputValue())
    .toBe("quarterly zürich");
});

test("what is typed while the address takes the text before is not lost", async () => {
  const page = await dashboard.open("/runs");
  await shows(page, "breaker", "reporter", "reporter");
  const box = page.getByRole("searchbox", { name: "Search runs" });
  // Types more at the moment at which the address changes, and records what the field shows from then on.
  await page.evaluate(`{
    const { replaceState } = history;
    window.shownTexts = new Set();
    history.replaceState = (...next) => {
      history.replaceState = replaceState;
      document.execCommand("insertText", false, "ly lo");
      const field = document.activeElement;
      const look = () => {
        window.shownTexts.add(field.value);
        requestAnimationFrame(look);
      };
      look();
      return replaceState.apply(history, next);
    };
  }`);
  await box.fill("quarter");
  await shows(page, "breaker");
  await expect.poll(() => new URL(page.url()).searchParams.get("search")).toBe("quarterly lo");
  expect(await page.evaluate("[...window.shownTexts]")).toEqual(["quarterly lo"]);
  expect(await box.inputValue()).toBe("quarterly lo");
});

test("a row shows why a run failed, or the first line of its result", async () => {
  const page = await dashboard.open("/runs");
  await page
    .getByRole("row", { name: /reporter/ })
    .first()
    .getByText("The figures are ready.", { exact: true })
    .waitFor();
  await page
    .getByRole("row", { name: /breaker/ })
    .getByText(/exit/)
    .waitFor();
});

test.each([1440, 390])(
  "the page names what it did not find, at %d pixels, accessibly in light and dark",
  async (width) => {
    const page = await dashboard.open("/runs?search=zzz%20%3Cb%3E%27!%3A*", {
      viewport: { width, height: 900 },
    });
    await page.getByText("No runs contain “zzz <b>'!:*”").waitFor();
    expect(await pageFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear the search" }).click();
    await shows(page, "breaker", "reporter", "reporter");
    expect(await axeFindings(page)).toEqual([]);
  },
);

test("a run that starts while its word is searched for appears in the list", async () => {
  const page = await dashboard.open("/runs?search=unheard");
  await page.getByText("No runs contain “unheard”").waitFor();
  await dashboard.fleet.run("reporter", { topic: "unheard-of" });
  await shows(page, "reporter");
});
