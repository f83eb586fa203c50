import { useSyncExternalStore } from "react";

const watchers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for everything on the page that counts seconds. It stands still when nobody looks. */
function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of watchers) each();
  }, 1_000);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const unwatched = () => () => undefined;

/** The time, to the second. Whoever needs it no more says so, and is not drawn again for it. */
export function useNow(isNeeded = true): number {
  return useSyncExternalStore(isNeeded ? watch : unwatched, () => (isNeeded ? now : 0));
}
