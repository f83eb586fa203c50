import axe from "axe-core";
import type { Page } from "playwright-core";

/** Changes the colours of a page. */
export async function setColorScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

/** Resolves when no colour is changing. Animations without an end, such as that of a loader, are ignored. */
const UNTIL_STILL = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished))`;

/** The findings of axe-core for the current page, one line each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // Not as a script tag, which the page's security policy forbids.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  await page.evaluate(UNTIL_STILL);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      // This experimental rule joins adjacent texts without a space.
      rules: { "label-content-name-mismatch": { enabled: false } },
      resultTypes: ["violations"],
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}
