import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";
// Declares the name of the provided value.
import type {} from "./shared-browser.ts";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const { version } = JSON.parse(readFileSync(join(MODULES, "@sparticuz/chromium/package.json"), "utf8"));
const UNPACKED = join(MODULES, ".cache", `chromium-${version}`);

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

/** The browser of TENTERHOOK_CHROMIUM, or else the one from npm. */
async function startBrowser(): Promise<BrowserServer> {
  const { chromium } = await import("playwright-core");
  return chromium.launchServer({
    executablePath: process.env.TENTERHOOK_CHROMIUM ?? (await unpackedBrowser()),
    args: [
      // Containers do not permit its sandbox; it only opens our own pages.
      ...["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--font-render-hinting=none"],
      // The tabs of a window share a process, with its compiled code: to open a tab takes two thirds of the time.
      "--process-per-site",
    ],
  });
}

/**
 * Unpacks the browser once per checkout. The package itself uses one folder for the whole machine, where the browser may be of another version, of another user, or incomplete.
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
  // Another process may have unpacked the same files; either copy will do.
  await rename(folder, UNPACKED).catch(() => rm(folder, { recursive: true, force: true }));
  return join(UNPACKED, "chromium");
}
