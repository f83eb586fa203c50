import { findBrowser } from "./find-browser.ts";

/** How the page's tests and screenshots start their browser. Throws as `findBrowser` does. */
export async function launchOptions(): Promise<{ executablePath: string; args: string[] }> {
  return {
    executablePath: await findBrowser(),
    args: [
      // Containers and root do not permit its sandbox; it only opens our own pages.
      ...["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--font-render-hinting=none"],
      // An installed browser looks for updates and the like; nothing but loopback is asked.
      ...[
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
      ],
      "--no-first-run",
    ],
  };
}
