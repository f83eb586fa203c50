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

/** The findings of axe-core for the current page, one line each; of all its rules, or of those about colours. */
export async function axeFindings(page: Page, rules: "all" | "colours" = "all"): Promise<readonly string[]> {
  // Not as a script tag, which the page's security policy forbids.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  await page.evaluate(UNTIL_STILL);
  return page.evaluate(async (isAll) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      // This experimental rule joins adjacent texts without a space.
      rules: { "label-content-name-mismatch": { enabled: false } },
      ...(!isAll && { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }),
      resultTypes: ["violations"],
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }, rules === "all");
}

/**
 * What is wrong with a page, in light and in dark colours: what axe finds, or that it is wider than the screen. The second scheme
 * changes nothing but colours.
 */
export async function pageFindings(page: Page): Promise<string[]> {
  await setColorScheme(page, "light");
  const found = [...(await axeFindings(page))];
  await setColorScheme(page, "dark");
  found.push(...(await axeFindings(page, "colours")).map((finding) => `${finding}, in dark colours`));
  const [inner, outer] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  if (inner > outer) found.push(`it is ${inner} wide, the screen ${outer}`);
  return found;
}

/** The same at both widths while a dialog is open: the header of the library's dialogs is reported as a second page header. */
export async function dialogFindings(page: Page): Promise<string[]> {
  return (await findingsAtBothWidths(page)).filter((finding) => !finding.startsWith("landmark-"));
}

/** The same at the width of a desktop and of a phone. */
export async function findingsAtBothWidths(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await pageFindings(page)).map((finding) => `${finding}, at ${width} pixels`));
  }
  return found;
}
