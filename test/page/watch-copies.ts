import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Records what a page copies, because all windows of the browser have one clipboard, and other test files use it at the same time.
 * Returns the function that waits for the copied text.
 */
export async function watchCopies(page: Page): Promise<() => Promise<string>> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(`{
    const { clipboard } = navigator;
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = async (text) => {
      await write(text);
      window.copiedText = text;
    };
  }`);
  const copied = () => page.evaluate<string | undefined>("window.copiedText");
  return async () => {
    await expect.poll(copied).toBeDefined();
    return (await copied()) ?? "";
  };
}
