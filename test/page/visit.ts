import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Navigates within the page, and waits until its data is loaded. */
export async function visit(page: Page, address: string): Promise<void> {
  if (new URL(page.url()).pathname !== address) {
    // A heading that the previous page renders later would be taken for that of the next one.
    await untilLoaded(page, "h1");
    // The previous page stays until the next is rendered; its heading is marked.
    await page.evaluate(`
      for (const heading of document.querySelectorAll("main h1")) heading.dataset.seen = "";
      history.pushState(null, "", ${JSON.stringify(address)});`);
  }
  await untilLoaded(page, "h1:not([data-seen])");
}

async function untilLoaded(page: Page, heading: string): Promise<void> {
  const main = page.getByRole("main");
  await main.locator(heading).first().waitFor();
  await expect.poll(() => main.locator("[aria-label='Loading'], .mantine-Skeleton-root").count()).toBe(0);
}
