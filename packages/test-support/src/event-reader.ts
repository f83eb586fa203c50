/** One message of a stream of server-sent events. */
export interface SentMessage {
  readonly id: string | undefined;
  /** `message` by default. */
  readonly event: string;
  readonly data: string;
}

/** Reads a stream of server-sent events, as a browser does. */
export class EventReader {
  readonly #response: Response;
  readonly #stop: AbortController;
  /** The cursor to continue from, after messages and also between them. */
  lastId = "";

  private constructor(response: Response, stop: AbortController) {
    this.#response = response;
    this.#stop = stop;
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
    const stop = new AbortController();
    const response = await fetch(url, { headers, signal: stop.signal });
    if (response.status !== 200) throw new Error(`the stream was refused: ${await response.text()}`);
    return new EventReader(response, stop);
  }

  get headers(): Headers {
    return this.#response.headers;
  }

  /** The messages, until the stream ends or is closed. */
  async *messages(): AsyncGenerator<SentMessage> {
    if (this.#response.body === null) return;
    let text = "";
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.#response.body) {
        text += decoder.decode(bytes, { stream: true });
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const message = this.#read(block);
          if (message !== undefined) yield message;
        }
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
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
  }

  #read(block: string): SentMessage | undefined {
    let event = "message";
    let data = "";
    for (const line of block.split("\n")) {
      const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (field === "id") this.lastId = value;
      else if (field === "event") event = value;
      else if (field === "data") data += value;
    }
    return data === "" ? undefined : { id: this.lastId, event, data };
  }
}
