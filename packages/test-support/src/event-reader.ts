import { HttpClient, readMessages } from "@tenterhook/client";

/** One message of a stream of server-sent events. */
export interface SentMessage {
  readonly id: string | undefined;
  /** `message` by default. */
  readonly event: string;
  readonly data: string;
}

/** Reads one connection of a stream of server-sent events, message by message. */
export class EventReader {
  readonly #response: Response;
  readonly #stop: AbortController;
  /** The cursor to continue from, after messages and also between them. */
  lastId = "";

  private constructor(response: Response, stop: AbortController) {
    this.#response = response;
    this.#stop = stop;
  }

  /** `url` is that of the stream, with its filters. */
  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
    const stop = new AbortController();
    const { origin, searchParams } = new URL(url);
    const query = Object.fromEntries(searchParams);
    const response = await new HttpClient({ url: origin }).open("GET /events", {
      query,
      headers,
      signal: stop.signal,
    });
    return new EventReader(response, stop);
  }

  get headers(): Headers {
    return this.#response.headers;
  }

  /** The messages, until the stream ends or is closed. */
  async *messages(): AsyncGenerator<SentMessage> {
    const { signal } = this.#stop;
    try {
      for await (const { id = this.lastId, event = "message", data } of readMessages(this.#response, {
        signal,
      })) {
        this.lastId = id;
        if (data !== "") yield { id, event, data };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The next events, as they were sent. */
  async take<T = Readonly<Record<string, unknown>>>(count: number): Promise<T[]> {
    const events: T[] = [];
    for await (const { data } of this.messages()) {
      events.push(JSON.parse(data) as T);
      if (events.length === count) break;
    }
    return events;
  }

  close(): void {
    this.#stop.abort();
    // Also when no messages are being read; a body that is being read ends by the signal.
    this.#response.body?.cancel().catch(() => undefined);
  }
}
