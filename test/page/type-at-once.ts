import type { Locator } from "playwright-core";

/** Types faster than the page renders. */
export async function typeAtOnce(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field
    .page()
    .evaluate(`for (const key of ${JSON.stringify(text)}) document.execCommand("insertText", false, key)`);
}
