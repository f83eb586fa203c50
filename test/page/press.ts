import type { Locator } from "playwright-core";
import { expect } from "vitest";

/**
 * Presses a button of a question's card. The page ignores a press while the card moves, and moves are seen by the page before a test
 * can know of them: an ignored press is repeated.
 */
export async function press(button: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const isIgnored = button.evaluate(
        (element) =>
          new Promise<boolean>((resolve) => {
            const read = (event: Event) => setTimeout(() => resolve(event.defaultPrevented));
            element.addEventListener("click", read, { once: true });
          }),
      );
      const [, result] = await Promise.all([button.click(), isIgnored]);
      return result;
    })
    .toBe(false);
}
