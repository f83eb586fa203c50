import { type Browser, chromium } from "playwright-core";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the broker that starts the browser. */
    browserBroker: string;
  }
}

let connected: Promise<Browser> | undefined;

/** The Chromium that all tests of a run share; the first call waits until it has started. */
export function sharedBrowser(): Promise<Browser> {
  connected ??= connect();
  return connected;
}

async function connect(): Promise<Browser> {
  const response = await fetch(inject("browserBroker"), { method: "POST" });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return chromium.connect(answer);
}
