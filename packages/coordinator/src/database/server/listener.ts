import { Backoff, pause } from "@tenterhook/internal";
import type pg from "pg";
import { Channels, channelName, type OnNotice } from "../channels.ts";
import { SqlError } from "../sql-error.ts";
import type { Connections } from "./connections.ts";
import { serverError } from "./server-error.ts";

/** LISTEN on a connection of its own, which is opened by the first listener and reopened whenever it breaks. */
export class Listener {
  readonly #connections: Connections;
  readonly #channels = new Channels();
  readonly #closing = new AbortController();
  /** The connection, and the channels that it listens to so far. */
  #current: { readonly client: pg.Client; readonly channels: Set<string> } | undefined;
  #steps: Promise<void> = Promise.resolve();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async listen(channel: string, onNotice: OnNotice): Promise<() => Promise<void>> {
    const remove = this.#channels.add(channel, onNotice);
    try {
      await this.#synchronise();
    } catch (error) {
      remove();
      throw error;
    }
    return async () => {
      remove();
      // Without a connection there is nothing to stop.
      if (this.#current !== undefined) await this.#synchronise().catch(() => {});
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#steps;
    const current = this.#current;
    this.#current = undefined;
    await current?.client.end();
  }

  /** Makes the connection listen to exactly the channels that have listeners; one change after the other. */
  #synchronise(): Promise<void> {
    const step = this.#steps.then(() => this.#step());
    this.#steps = step.catch(() => {});
    return step;
  }

  async #step(): Promise<void> {
    const { client, channels } = this.#current ?? (await this.#connect());
    try {
      for (const name of this.#channels.names().filter((name) => !channels.has(name))) {
        await client.query(`listen ${channelName(name)}`);
        channels.add(name);
      }
      for (const name of [...channels].filter((name) => !this.#channels.has(name))) {
        await client.query(`unlisten ${channelName(name)}`);
        channels.delete(name);
      }
    } catch (error) {
      const meaning = serverError(error);
      // A connection that does not answer has not ended by itself.
      if (!(meaning instanceof SqlError)) void client.end().catch(() => {});
      throw meaning;
    }
  }

  async #connect() {
    const client = await this.#connections.dedicated();
    const current = { client, channels: new Set<string>() };
    client.on("notification", ({ channel, payload }) => this.#channels.deliver(channel, payload ?? ""));
    client.on("end", () => {
      if (this.#current !== current) return;
      this.#current = undefined;
      void this.#recover();
    });
    this.#current = current;
    return current;
  }

  async #recover(): Promise<void> {
    const backoff = new Backoff({ firstMs: 50, mostMs: 5_000 });
    while (!(await this.#isBack())) {
      await pause(backoff.nextMs(), this.#closing.signal);
      if (this.#closing.signal.aborted) return;
    }
    this.#channels.missed();
  }

  #isBack(): Promise<boolean> {
    return this.#synchronise().then(
      () => true,
      () => false,
    );
  }
}
