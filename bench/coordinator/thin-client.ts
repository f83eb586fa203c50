import { connect, type Socket } from "node:net";

export interface ThinAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * HTTP over kept connections, and nothing more: what is measured shares its cores with the client, and `node:http` as a client
 * costs as much as the server. Understands answers with a `content-length` or without a body.
 */
export class ThinClient {
  readonly #url: URL;
  readonly #headers: string;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();

  constructor(url: URL, token: string) {
    this.#url = url;
    this.#headers = `Host: ${url.host}\r\nAuthorization: Bearer ${token}\r\n`;
  }

  /** Sends a request; throws unless it succeeds. */
  async ask(method: string, path: string, body?: unknown): Promise<ThinAnswer> {
    const connection = this.#idle.pop() ?? this.#connect();
    const answer = await connection.ask(this.#request(method, path, body));
    this.#idle.push(connection);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  /** The same, and parses the answer. */
  async demand<T>(method: string, path: string, body?: unknown): Promise<T> {
    return JSON.parse((await this.ask(method, path, body)).text) as T;
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #connect(): Connection {
    const connection = new Connection(connect(Number(this.#url.port), this.#url.hostname));
    this.#all.add(connection);
    return connection;
  }

  #request(method: string, path: string, body: unknown): string {
    const head = `${method} ${path} HTTP/1.1\r\n${this.#headers}`;
    if (body === undefined) return `${head}\r\n`;
    const text = JSON.stringify(body);
    const length = Buffer.byteLength(text);
    return `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${text}`;
  }
}

/** One connection, for one request at a time. */
class Connection {
  readonly #socket: Socket;
  #received = "";
  #answered: ((answer: ThinAnswer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay().setEncoding("latin1");
    socket.on("data", (text: string) => this.#receive(text));
    socket.on("error", (error) => this.#failed?.(error));
    socket.on("close", () => this.#failed?.(new Error("the connection was closed")));
  }

  ask(request: string): Promise<ThinAnswer> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    const head = this.#received.indexOf("\r\n\r\n");
    if (head < 0) return;
    const [, length = "0"] = /content-length: (\d+)/i.exec(this.#received.slice(0, head)) ?? [];
    const end = head + 4 + Number(length);
    if (this.#received.length < end) return;
    const body = Buffer.from(this.#received.slice(head + 4, end), "latin1").toString();
    const answer = { status: Number(this.#received.slice(9, 12)), text: body };
    this.#received = "";
    this.#answered?.(answer);
  }
}
