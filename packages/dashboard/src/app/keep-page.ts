/**
 * Keeps the files of the page in the browser, so that a reload works while the coordinator does not respond. Browsers allow it
 * for https and for localhost only; elsewhere, and where it fails, the page works without.
 */
export function keepPage(): void {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  addEventListener("load", () => {
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  });
}
