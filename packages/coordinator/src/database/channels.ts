export type Heard = (payload: string) => void;

/** Who listens on which channel; the drivers keep the database's LISTENs in step with `names`. */
export class Channels {
  readonly #listeners = new Map<string, Set<{ readonly heard: Heard }>>();

  /** Returns the way to remove it again. */
  add(channel: string, heard: Heard): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    // An object of its own, so that one function may listen twice.
    const listener = { heard };
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
    for (const { heard } of [...(this.#listeners.get(channel) ?? [])]) heard(payload);
  }

  /** Tells everybody that notices may have been missed. */
  missed(): void {
    for (const channel of this.names()) this.deliver(channel, "");
  }
}

/** LISTEN and UNLISTEN take names, not parameters. */
export function channelName(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`;
}
