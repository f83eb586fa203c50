import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Two clicks before the page can render anything, as soon as the button can be pressed. */
export async function clickTwice(button: Locator): Promise<void> {
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.evaluate((element) => {
    const { click } = element as unknown as { click(): void };
    click.call(element);
    click.call(element);
  });
}
