import type { AnyRouter } from "@tanstack/react-router";

/** How many addresses of the history are remembered, the latest. */
const MAX_ENTRIES = 100;
/** How long the page that the user went back to may take to show the element. */
const WAIT_MS = 5_000;

/**
 * After Back, moves the focus to the link that led away: a user of the keyboard continues in a list where it was left. Links are
 * recognised by their address, because the elements are new.
 */
export function restoreFocus(router: AnyRouter): void {
  const links = new Map<string, string>();
  let stopWaiting = () => {};
  router.subscribe("onBeforeNavigate", ({ fromLocation }) => {
    stopWaiting();
    const key = fromLocation?.state.__TSR_key;
    const href = document.activeElement?.closest("main a[href]")?.getAttribute("href");
    if (key === undefined || !href) return;
    links.delete(key);
    links.set(key, href);
    const [oldest] = links.keys();
    if (links.size > MAX_ENTRIES && oldest !== undefined) links.delete(oldest);
  });
  router.subscribe("onResolved", ({ toLocation }) => {
    const href = links.get(toLocation.state.__TSR_key ?? "");
    if (href !== undefined) stopWaiting = focusWhenShown(href);
  });
}

/** Focuses a link as soon as it exists, unless the user has moved the focus meanwhile. Returns the function that ends waiting. */
function focusWhenShown(href: string): () => void {
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const focus = () => {
    if (document.activeElement !== null && document.activeElement !== document.body) return stop();
    const link = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`);
    if (link === null) return;
    stop();
    // The router restores the scroll position.
    link.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(focus);
  observer.observe(document.body, { subtree: true, childList: true });
  const timer = setTimeout(stop, WAIT_MS);
  focus();
  return stop;
}
