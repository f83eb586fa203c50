import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Watches for a text that the page shows only for a moment, which a busy machine may miss. Returns the function that waits until the
 * text has been shown.
 */
export async function watchText(page: Page, text: string): Promise<() => Promise<void>> {
  const quoted = JSON.stringify(text);
  await page.evaluate(`{
    const shown = (window.shownTexts ??= new Set());
    new MutationObserver(() => document.body.textContent.includes(${quoted}) && shown.add(${quoted}))
      .observe(document.body, { subtree: true, childList: true, characterData: true });
  }`);
  return () => expect.poll(() => page.evaluate(`window.shownTexts.has(${quoted})`)).toBe(true);
}
