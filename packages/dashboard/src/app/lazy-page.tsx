import { Group, Loader, Text } from "@mantine/core";
import { type ComponentType, createElement, useEffect, useState } from "react";
import { useLiveState } from "../live/live-provider.tsx";

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
      // The page that needs it tries again.
    }
  }
}

const pages: PageCode[] = [];

/**
 * A page whose code is loaded separately. If that fails, the page says so within its frame and tries again. A reload
 * while the coordinator does not respond would lose the frame.
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
      if (code.component === undefined) await reloadIfPossible();
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
/** Code that is still missing after a reload is not asked for at once again. */
const RELOAD_PAUSE_MS = 10_000;

/**
 * Reloads the page if the coordinator responds. Browsers remember that code could not be loaded, and the code of an older version
 * no longer exists; in both cases only a reload helps.
 */
async function reloadIfPossible(): Promise<void> {
  const response = await fetch("/", { headers: { accept: "text/html" } }).catch(() => undefined);
  if (response?.ok !== true) return;
  const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
  if (Date.now() - last < RELOAD_PAUSE_MS) return;
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  location.reload();
}

/** Most code is loaded before this; without it the screen would flicker. */
const QUIET_MS = 400;

/** Stands in for a page whose code is not loaded yet. */
function PageNotLoaded() {
  const isLost = useLiveState() === "lost";
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <Group gap="sm" role="status">
      <Loader size="sm" aria-hidden />
      <Text size="sm">
        {isLost
          ? "This page is not loaded yet. It opens when the coordinator responds again."
          : "Loading the page"}
      </Text>
    </Group>
  );
}
