import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";
// For the name of what is provided.
import type {} from "./shared-browser.ts";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const { version } = JSON.parse(readFileSync(join(MODULES, "@sparticuz/chromium/package.json"), "utf8"));
const UNPACKED = join(MODULES, ".cache", `chromium-${version}`);

/**
 * Vitest's global setup: one Chromium for all test files, each with windows of its own. It starts when a test first asks, so
 * that runs without such tests pay nothing.
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

/** The system's browser, when somebody names one; else the one that npm brings. */
async function startBrowser(): Promise<BrowserServer> {
  const { chromium } = await import("playwright-core");
  return chromium.launchServer({
    executablePath: process.env.TENTERHOOK_CHROMIUM ?? (await unpackedBrowser()),
    // Its sandbox needs what containers do not grant; the only pages that it opens are ours.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--font-render-hinting=none"],
  });
}

/**
 * Unpacks the browser once for a checkout. The package would do so at one place for the whole machine, where the browser may be
 * somebody else's, of another version, or half there.
 */
async function unpackedBrowser(): Promise<string> {
  if (existsSync(join(UNPACKED, "chromium"))) return join(UNPACKED, "chromium");
  const { default: packed } = await import("@sparticuz/chromium");
  await mkdir(dirname(UNPACKED), { recursive: true });
  const folder = await mkdtemp(`${UNPACKED}-`);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    await packed.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  // Whoever else is at it has the same; one of them is kept.
  await rename(folder, UNPACKED).catch(() => rm(folder, { recursive: true, force: true }));
  return join(UNPACKED, "chromium");
}
