import { pageFolder } from "@tenterhook/dashboard";
import type { Scope } from "@tenterhook/protocol/runs";
import type { BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { LocalFleet } from "../coordinator/local-fleet.ts";
import { sharedBrowser } from "./shared-browser.ts";

export const DESKTOP = { width: 1280, height: 800 } as const;
export const PHONE = { width: 390, height: 844 } as const;

/** Runners that tests play by hand renew no lease, and a slow machine needs longer than the usual one. */
const LEASE_SECONDS = 600;

export interface WindowOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  /** Default: the administrator. */
  readonly scope?: Scope;
  /** Of the person. Default: that of the token. */
  readonly name?: string;
  /** Whether the browser keeps the page's files for outages. Default: no; loading all of them takes time. */
  readonly keepsPage?: boolean;
}

/** A fleet with its dashboard, and real browser windows. */
export class TestDashboard {
  readonly fleet: LocalFleet;
  /** Browser windows by their options; reusing a window reuses its caches. */
  readonly #windows = new Map<string, Promise<BrowserContext>>();

  private constructor(fleet: LocalFleet) {
    this.fleet = fleet;
  }

  static async start(options: Parameters<typeof LocalFleet.start>[0] = {}): Promise<TestDashboard> {
    const dashboard = await TestDashboard.share(options);
    onTestFinished(() => dashboard.close());
    return dashboard;
  }

  /** For the tests of a file; the caller closes it. */
  static async share(options: Parameters<typeof LocalFleet.open>[0] = {}): Promise<TestDashboard> {
    const limits = { leaseSeconds: LEASE_SECONDS, ...options.limits };
    return new TestDashboard(await LocalFleet.open({ page: pageFolder, ...options, limits }));
  }

  async close(): Promise<void> {
    for (const window of this.#windows.values()) await (await window).close();
    await this.fleet.close();
  }

  get url(): string {
    return this.fleet.served.url;
  }

  /** Opens the page at an address, signed in by a link. Errors of the page fail the test. */
  async open(path = "/", options: WindowOptions = {}): Promise<Page> {
    const key = JSON.stringify(options);
    const window = this.#windows.get(key) ?? this.#newWarmWindow(options);
    this.#windows.set(key, window);
    const page = await newPage(await window);
    onTestFinished(() => page.close());
    const login = await this.#loginUrl(options);
    if (path === "/") {
      await page.goto(login);
    } else {
      // Only the cookie is needed, so the target page of the link is not rendered.
      await page.context().request.get(login, { maxRedirects: 0 });
      await page.goto(this.url + path);
    }
    return page;
  }

  /** A window with a tab that stays open, so that its other tabs need not start a process each; see the broker's options. */
  async #newWarmWindow(options: WindowOptions): Promise<BrowserContext> {
    const window = await newWindow(options);
    await (await window.newPage()).goto(`${this.url}/favicon.svg`);
    return window;
  }

  /** A browser window that is not signed in. */
  async signedOut(options: WindowOptions = {}): Promise<Page> {
    const window = await newWindow(options);
    onTestFinished(() => window.close());
    return newPage(window);
  }

  /** A token of a scope, as `tenterhook tokens create` makes it. */
  async token(scope: Scope): Promise<string> {
    const { token } = await this.fleet.demand<{ token: string }>("POST", "/tokens", {
      name: `a ${scope}`,
      scope,
    });
    return token;
  }

  async #loginUrl({ scope = "admin", name }: WindowOptions): Promise<string> {
    if (scope === "admin" && name === undefined) return this.fleet.served.loginUrl();
    const token = scope === "admin" ? this.fleet.served.token : await this.token(scope);
    const response = await fetch(`${this.url}/login-links`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ name }),
    });
    const { url } = (await response.json()) as { readonly url: string };
    return url;
  }
}

async function newWindow({
  viewport = DESKTOP,
  colorScheme = "light",
  keepsPage = false,
}: WindowOptions): Promise<BrowserContext> {
  const browser = await sharedBrowser();
  return browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: "reduce",
    serviceWorkers: keepsPage ? "allow" : "block",
  });
}

async function newPage(window: BrowserContext): Promise<Page> {
  const page = await window.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // A browser logs every response above 399, expected or not; only errors of the page itself count.
    const isResponse = /Failed to load resource|net::ERR/.test(message.text());
    if (message.type() === "error" && !isResponse) errors.push(message.text());
  });
  onTestFinished(() => {
    if (errors.length > 0) throw new Error(`the page reported errors:\n${errors.join("\n")}`);
  });
  return page;
}
