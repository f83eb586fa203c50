import type { Locator } from "playwright-core";

/** Two clicks before the page can render anything. */
export function clickTwice(button: Locator): Promise<void> {
  return button.evaluate((element) => {
    const { click } = element as unknown as { click(): void };
    click.call(element);
    click.call(element);
  });
}
