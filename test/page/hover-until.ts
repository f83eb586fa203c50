import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Hovers an element until something is shown: what the page still loads may move the element away from the pointer. */
export async function hoverUntil(target: Locator, shown: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await target.hover();
      return shown.isVisible();
    })
    .toBe(true);
}
