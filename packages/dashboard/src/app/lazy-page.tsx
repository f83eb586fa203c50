import { type ComponentType, createElement, useEffect, useState } from "react";
import { PageNotLoaded } from "./page-not-loaded.tsx";

/** The pause between two attempts to load the code of a page. */
const RETRY_MS = 2_000;

export interface LazyPage {
  (): ReturnType<typeof createElement>;
  /** Loads the code ahead; the router calls it. Never rejects. */
  readonly preload: () => Promise<void>;
}

/** The code of a page, which is loaded once. */
class PageCode {
  readonly #load: () => Promise<object>;
  readonly #name: string;
  component: ComponentType | undefined;

  constructor(load: () => Promise<object>, name: string) {
    this.#load = load;
    this.#name = name;
  }

  /** Never rejects; the component stays undefined when its code could not be loaded. */
  async attempt(): Promise<void> {
    try {
      // Not a type parameter: the types of the pages depend on those of the routes.
      this.component ??= ((await this.#load()) as Record<string, ComponentType>)[this.#name];
    } catch {
      await reloadIfOutdated();
    }
  }
}

const pages: PageCode[] = [];

/**
 * A page whose code is loaded separately. If that fails, the page says so within its frame and tries again; a reload would lose
 * the frame when the coordinator does not respond.
 */
export function lazyPage(load: () => Promise<object>, name: string): LazyPage {
  const code = new PageCode(load, name);
  pages.push(code);
  return Object.assign(() => <LoadedPage code={code} />, { preload: () => code.attempt() });
}

function LoadedPage({ code }: { readonly code: PageCode }) {
  const [, setAttempts] = useState(0);
  useEffect(() => {
    if (code.component !== undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    let isGone = false;
    const retry = async () => {
      await code.attempt();
      if (isGone) return;
      setAttempts((count) => count + 1);
      if (code.component === undefined) timer = setTimeout(retry, RETRY_MS);
    };
    void retry();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [code]);
  return code.component === undefined ? <PageNotLoaded /> : createElement(code.component);
}

/** Loads the code of all pages, one after the other, so that each can be opened while the coordinator does not respond. */
export async function preloadPages(): Promise<void> {
  for (const page of pages) await page.attempt();
}

const RELOADED_KEY = "tenterhook-reloaded";
/** A page that was just reloaded and still has no code is not outdated. */
const RELOAD_PAUSE_MS = 60_000;

/** When the coordinator responds and its page is another one than this, this one is of an older version. */
async function reloadIfOutdated(): Promise<void> {
  const response = await fetch("/", { headers: { accept: "text/html" } }).catch(() => undefined);
  if (response?.ok !== true) return;
  const entry = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.getAttribute("src");
  if (entry == null || (await response.text()).includes(entry)) return;
  const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
  if (Date.now() - last < RELOAD_PAUSE_MS) return;
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  location.reload();
}
