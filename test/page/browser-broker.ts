import { once } from "node:events";
import { createServer } from "node:http";
import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";
import { launchOptions } from "../../scripts/browser/launch-options.ts";
// Declares the name of the provided value.
import type {} from "./shared-browser.ts";

/**
 * Vitest's global setup: one Chromium for all test files, each with its own windows. It starts on the first request, so that other test runs do not pay for it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let browser: Promise<BrowserServer> | undefined;
  const broker = createServer((_request, response) => {
    browser ??= startBrowser();
    browser.then(
      (server) => response.end(server.wsEndpoint()),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  broker.listen(0, "127.0.0.1");
  await once(broker, "listening");
  const address = broker.address();
  if (address === null || typeof address === "string") throw new Error("A listening server has a port.");
  project.provide("browserBroker", `http://127.0.0.1:${address.port}/`);

  return async () => {
    broker.closeAllConnections();
    broker.close();
    await (await browser?.catch(() => undefined))?.close();
  };
}

async function startBrowser(): Promise<BrowserServer> {
  const [{ chromium }, { executablePath, args }] = await Promise.all([
    import("playwright-core"),
    launchOptions(),
  ]);
  // The tabs of a window share a process, with its compiled code: to open a tab takes two thirds of the time.
  return chromium.launchServer({ executablePath, args: [...args, "--process-per-site"] });
}
