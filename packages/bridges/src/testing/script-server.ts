import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type About, formatAbout } from "../resident/about.ts";
import { type ResidentFiles, residentFiles } from "../resident/folder.ts";
import { type RequestHead, readRequestHead } from "../resident/request.ts";

/** A call as it arrived. */
export interface ReceivedCall {
  readonly head: RequestHead;
  readonly text: Buffer;
}

/** A server in the place of a resident process, that a test decides the responses of. */
export class ScriptServer {
  readonly files: ResidentFiles;
  readonly about: About = { pid: process.pid, secret: randomBytes(16).toString("hex") };
  readonly calls: ReceivedCall[] = [];
  readonly #server: Server;

  /** `respond` is called once the text is complete, or with `early` as soon as the head is. */
  constructor(
    folder: string,
    respond: (response: ServerResponse, call: ReceivedCall) => void,
    early: (request: IncomingMessage, response: ServerResponse, call: ReceivedCall) => void = () => undefined,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.files = residentFiles(folder);
    writeFileSync(this.files.about, formatAbout(this.about), { mode: 0o600 });
    this.#server = createServer((request, response) => {
      let received = Buffer.alloc(0);
      const call = () => {
        const head = readRequestHead(received, this.about);
        return head && { head, text: received.subarray(head.length) };
      };
      request.on("error", () => undefined);
      request.on("data", (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        const arrived = call();
        if (arrived !== undefined) early(request, response, arrived);
      });
      request.on("end", () => {
        const arrived = call();
        if (arrived === undefined) throw new Error("the request has no head");
        this.calls.push(arrived);
        respond(response, arrived);
      });
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.files.socket, resolve));
    chmodSync(this.files.socket, 0o600);
    return this;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
