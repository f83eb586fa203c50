import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core finds wrong with a page as it is now, one line each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // Not as a script tag, which the page's own rules forbid.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      // Still an experiment: it joins the texts of neighbours without a space between them.
      rules: { "label-content-name-mismatch": { enabled: false } },
      resultTypes: ["violations"],
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}
