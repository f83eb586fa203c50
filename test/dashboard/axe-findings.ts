import axe from "axe-core";
import type { Page } from "playwright-core";

/** The findings of axe-core for the current page, one line each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // Not as a script tag, which the page's security policy forbids.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
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
