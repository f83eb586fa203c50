import { pageFolder } from "@tenterhook/dashboard";
import type { Scope } from "@tenterhook/protocol/runs";
import type { BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { Fleet } from "../coordinator/fleet.ts";
import { sharedBrowser } from "./shared-browser.ts";

export const DESKTOP = { width: 1280, height: 800 } as const;
export const PHONE = { width: 390, height: 844 } as const;

export interface Look {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  /** Default: the administrator. */
  readonly scope?: Scope;
}

/** A fleet with its page, and people who look at it with a real browser. */
export class DashboardWorld {
  readonly fleet: Fleet;
  /** Windows of the same person, by how they look at it: what is loaded and compiled once is there for the next. */
  readonly #windows = new Map<string, Promise<BrowserContext>>();

  private constructor(fleet: Fleet) {
    this.fleet = fleet;
  }

  static async start(options: Parameters<typeof Fleet.start>[0] = {}): Promise<DashboardWorld> {
    const world = await DashboardWorld.share(options);
    onTestFinished(() => world.close());
    return world;
  }

  /** For the tests of a file: whoever opens it closes it. */
  static async share(options: Parameters<typeof Fleet.open>[0] = {}): Promise<DashboardWorld> {
    return new DashboardWorld(await Fleet.open({ page: pageFolder, ...options }));
  }

  async close(): Promise<void> {
    for (const window of this.#windows.values()) await (await window).close();
    await this.fleet.close();
  }

  get url(): string {
    return this.fleet.served.url;
  }

  /** Somebody opens the page at an address, logged in by a link. What the page complains about fails the test. */
  async open(path = "/", look: Look = {}): Promise<Page> {
    const key = JSON.stringify([look.viewport, look.colorScheme, look.scope]);
    const window = this.#windows.get(key) ?? newWindow(look);
    this.#windows.set(key, window);
    const page = await newPage(await window);
    onTestFinished(() => page.close());
    const login = await this.#loginUrl(look.scope ?? "admin");
    if (path === "/") {
      await page.goto(login);
    } else {
      // The cookie is what counts: the page that the link leads to need not be drawn first.
      await page.context().request.get(login, { maxRedirects: 0 });
      await page.goto(this.url + path);
    }
    return page;
  }

  /** Somebody with a browser who is not logged in. */
  async stranger(look: Look = {}): Promise<Page> {
    const window = await newWindow(look);
    onTestFinished(() => window.close());
    return newPage(window);
  }

  /** A token of a scope, as `tenterhook token create` makes it. */
  async token(scope: Scope): Promise<string> {
    const { token } = await this.fleet.demand<{ token: string }>("POST", "/tokens", {
      name: `a ${scope}`,
      scope,
    });
    return token;
  }

  async #loginUrl(scope: Scope): Promise<string> {
    if (scope === "admin") return this.fleet.served.loginUrl();
    const response = await fetch(`${this.url}/login-links`, {
      method: "POST",
      headers: { authorization: `Bearer ${await this.token(scope)}` },
    });
    const { url } = (await response.json()) as { readonly url: string };
    return url;
  }
}

async function newWindow({ viewport = DESKTOP, colorScheme = "light" }: Look): Promise<BrowserContext> {
  const browser = await sharedBrowser();
  return browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
}

async function newPage(window: BrowserContext): Promise<Page> {
  const page = await window.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A browser says so of every answer above 399, expected or not; what the page itself says is another matter.
    const isAnswer = /Failed to load resource|net::ERR/.test(message.text());
    if (message.type() === "error" && !isAnswer) complaints.push(message.text());
  });
  onTestFinished(() => {
    if (complaints.length > 0) throw new Error(`the page complained:\n${complaints.join("\n")}`);
  });
  return page;
}
