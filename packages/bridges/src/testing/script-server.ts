import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { type About, formatAbout } from "../resident/about.ts";
import { type ResidentFiles, residentFiles } from "../resident/folder.ts";
import { MessageReader } from "../resident/messages.ts";
import { type CallHead, readRequest } from "../resident/request.ts";
import { formatDecision } from "../resident/response.ts";

/** A call as it arrived. */
export interface ReceivedCall {
  readonly head: CallHead;
  readonly text: Buffer;
}

export interface ScriptServerOptions {
  /** Called once the text has ended. */
  readonly respond: (socket: Socket, call: ReceivedCall) => void;
  /** Called when the request has come; default: it takes the call. */
  readonly decide?: (socket: Socket) => void;
  /** Called when a part of the text has come. */
  readonly early?: (socket: Socket, call: ReceivedCall) => void;
}

/** A server in the place of a resident process, that a test decides the responses of. */
export class ScriptServer {
  readonly files: ResidentFiles;
  readonly about: About = { pid: process.pid, secret: newSecret(), proof: newSecret() };
  /** The requests of calls. */
  readonly heads: CallHead[] = [];
  /** The calls whose text has ended. */
  readonly calls: ReceivedCall[] = [];
  readonly #options: ScriptServerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(folder: string, options: ScriptServerOptions) {
    this.#options = options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.files = residentFiles(folder);
    writeFileSync(this.files.about, formatAbout(this.about), { mode: 0o600 });
    this.#server = createServer((socket) => this.#receive(socket));
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.files.socket, resolve));
    chmodSync(this.files.socket, 0o600);
    return this;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #receive(socket: Socket): void {
    const { decide, early, respond } = this.#options;
    const messages = new MessageReader();
    let head: CallHead | undefined;
    let text = Buffer.alloc(0);
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      for (const message of messages.add(chunk)) {
        if (head === undefined) {
          const request = readRequest(message, this.about);
          if (request.type !== "call") throw new Error("the request is not a call");
          head = request;
          this.heads.push(head);
          if (decide === undefined) socket.write(formatDecision(this.about, newSecret()));
          else decide(socket);
        } else if (message.length > 0) {
          text = Buffer.concat([text, message]);
          early?.(socket, { head, text });
        } else {
          this.calls.push({ head, text });
          respond(socket, { head, text });
        }
      }
    });
  }
}

function newSecret(): string {
  return randomBytes(16).toString("hex");
}
