import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";
// For the name of what is provided.
import type {} from "./shared-browser.ts";

/**
 * Vitest's global setup: one Chromium for all test files, each with windows of its own. It starts when a test first asks, so
 * that runs without such tests pay nothing.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let browser: Promise<BrowserServer> | undefined;
  const desk = createServer((_request, response) => {
    browser ??= startBrowser();
    browser.then(
      (server) => response.end(server.wsEndpoint()),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  desk.listen(0, "127.0.0.1");
  await once(desk, "listening");
  const address = desk.address();
  if (address === null || typeof address === "string") throw new Error("A listening server has a port.");
  project.provide("browserDesk", `http://127.0.0.1:${address.port}/`);

  return async () => {
    desk.closeAllConnections();
    desk.close();
    await (await browser?.catch(() => undefined))?.close();
  };
}

/** The system's browser, when somebody names one; else the one that npm brings. */
async function startBrowser(): Promise<BrowserServer> {
  const [{ chromium }, { default: packed }] = await Promise.all([
    import("playwright-core"),
    import("@sparticuz/chromium"),
  ]);
  const named = process.env.TENTERHOOK_CHROMIUM;
  if (named !== undefined && !existsSync(named)) throw new Error(`TENTERHOOK_CHROMIUM: there is no ${named}`);
  return chromium.launchServer({
    executablePath: named ?? (await packed.executablePath()),
    // Its sandbox needs what containers do not grant; the only pages that it opens are ours.
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--disable-gpu",
      "--font-render-hinting=none",
      "--process-per-site",
    ],
  });
}
