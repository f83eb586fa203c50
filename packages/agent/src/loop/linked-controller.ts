/**
 * A controller that aborts when a signal does, or by itself. The signal may live for years; `release` lets go of it, which
 * `AbortSignal.any` leaves to the garbage collector.
 */
export function linkedController(signal: AbortSignal | undefined): {
  readonly controller: AbortController;
  release(): void;
} {
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener("abort", follow, { once: true });
  return { controller, release: () => signal?.removeEventListener("abort", follow) };
}
