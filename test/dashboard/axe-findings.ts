import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core finds wrong with a page as it is now, one line each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // Still an experiment: it joins the texts of neighbours without a space between them.
    const rules = { "label-content-name-mismatch": { enabled: false } };
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({ rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}
