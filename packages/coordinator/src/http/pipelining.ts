import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many requests of one connection are worked on at a time. Clients that do not pipeline send one. */
const MAX_IN_FLIGHT = 8;

/**
 * Limits how many requests of one connection are in flight. Node hands out all requests of a connection as they arrive, so
 * that one client can have tens of thousands of them in memory. The others wait here, and while some do, nothing more is read
 * from the connection: what waits is at most what one read brought.
 */
export function limitPipelining(handle: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket, handle);
      connections.set(socket, connection);
    }
    connection.add(incoming, outgoing);
  };
}

class Connection {
  readonly #socket: Socket;
  readonly #handle: RequestListener;
  #waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  #inFlight = 0;

  constructor(socket: Socket, handle: RequestListener) {
    this.#socket = socket;
    this.#handle = handle;
    // Node resumes the connection to read bodies, also those that nobody reads.
    socket.on("resume", () => this.#pauseIfWaiting());
    socket.once("close", () => {
      this.#waiting = [];
    });
  }

  add(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#inFlight < MAX_IN_FLIGHT) {
      this.#begin(incoming, outgoing);
      return;
    }
    this.#waiting.push([incoming, outgoing]);
    this.#pauseIfWaiting();
  }

  #begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#inFlight++;
    outgoing.once("close", () => this.#ended());
    void this.#handle(incoming, outgoing);
  }

  #ended(): void {
    this.#inFlight--;
    // A response that closes the connection is the last: the requests after it get none.
    if (!this.#socket.writable) this.#waiting = [];
    const next = this.#waiting.shift();
    if (next !== undefined) this.#begin(...next);
    else if (this.#socket.isPaused() && !this.#socket.destroyed) this.#socket.resume();
  }

  #pauseIfWaiting(): void {
    if (this.#waiting.length > 0) this.#socket.pause();
  }
}
