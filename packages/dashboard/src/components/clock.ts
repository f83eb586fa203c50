import { useSyncExternalStore } from "react";

const subscribers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all running durations on the page. It stops while it has no subscribers. */
function subscribe(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of subscribers) each();
  }, 1_000);
  return () => {
    subscribers.delete(subscriber);
    if (subscribers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const unsubscribed = () => () => undefined;

/** The time, updated every second. With `isNeeded` false, the component is not rendered for it. */
export function useNow(isNeeded = true): number {
  return useSyncExternalStore(isNeeded ? subscribe : unsubscribed, () => (isNeeded ? now : 0));
}
