import type { Socket } from "node:net";
import { MessageReader } from "@tenterhook/bridges/resident";
import type { TextSource } from "../bridge/read-text.ts";
import { ReceivedPieces } from "./received-pieces.ts";

/** A front sends its request at once. */
const REQUEST_MS = 30_000;

/** A connection to the resident process: a request, then the client's text in pieces, and an empty message at its end. */
export class Connection {
  /** The first message. Rejects when the connection ends before it is complete, and when it takes too long. */
  readonly request: Promise<Buffer>;
  readonly #socket: Socket;
  readonly #text = new ReceivedPieces();

  constructor(socket: Socket) {
    this.#socket = socket;
    const messages = new MessageReader();
    this.request = new Promise((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(), REQUEST_MS);
      let isFirst = true;
      const take = (message: Buffer) => {
        if (!isFirst) return this.#text.add(message);
        isFirst = false;
        clearTimeout(timer);
        resolve(message);
      };
      socket.on("data", (chunk) => {
        try {
          messages.add(chunk).forEach(take);
        } catch {
          socket.destroy();
        }
      });
      socket.on("error", () => undefined);
      socket.once("close", () => {
        clearTimeout(timer);
        reject(new Error("the connection was closed"));
      });
    });
    // It may be closed before anyone waits for the request.
    this.request.catch(() => undefined);
  }

  /**
   * Reads the text; rejects when the connection ends before it is read. What comes after the text is dropped: a connection whose bytes
   * are not read does not show that it was closed.
   */
  async readText<R>(read: (text: TextSource) => Promise<R>): Promise<R> {
    try {
      return await new Promise((resolve, reject) => {
        this.onceEnded(() => reject(new Error("the connection was closed")));
        read(this.#text).then(resolve, reject);
      });
    } finally {
      this.#text.pause();
    }
  }

  /** Calls `ended` once the other side has closed the connection, or is gone; at once if that was before. */
  onceEnded(ended: () => void): void {
    if (this.#socket.readableEnded || this.#socket.destroyed) ended();
    else this.#socket.once("end", ended).once("close", ended);
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Sends the last bytes, if any, and closes the connection. */
  end(bytes: Buffer = Buffer.alloc(0)): void {
    this.#socket.write(bytes);
    this.#socket.destroySoon();
  }

  /** Closes it without an answer. */
  destroy(): void {
    this.#socket.destroy();
  }
}
