export type OnNotice = (payload: string) => void;

/** The listeners of each channel; the drivers LISTEN to exactly these `names`. */
export class Channels {
  readonly #listeners = new Map<string, Set<{ readonly onNotice: OnNotice }>>();

  /** Returns the function that removes it. */
  add(channel: string, onNotice: OnNotice): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    // An object of its own, so that one function may listen twice.
    const listener = { onNotice };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) this.#listeners.delete(channel);
    };
  }

  names(): string[] {
    return [...this.#listeners.keys()];
  }

  has(channel: string): boolean {
    return this.#listeners.has(channel);
  }

  deliver(channel: string, payload: string): void {
    for (const { onNotice } of [...(this.#listeners.get(channel) ?? [])]) onNotice(payload);
  }

  /** Notifies all listeners that notices may have been missed. */
  missed(): void {
    for (const channel of this.names()) this.deliver(channel, "");
  }
}

/** LISTEN and UNLISTEN take names, not parameters. */
export function channelName(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`;
}
