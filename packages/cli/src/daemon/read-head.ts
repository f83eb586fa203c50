import type { IncomingMessage } from "node:http";
import { type About, type RequestHead, readRequestHead } from "@tenterhook/bridges/resident";

/** A front sends its head at once. */
const HEAD_MS = 30_000;

/**
 * Reads what comes before the client's text; the stream continues with the text. Rejects when the request is not the front's, ends
 * early, or takes too long.
 */
export function readHead(request: IncomingMessage, about: About): Promise<RequestHead> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      request.pause();
      request.removeListener("data", add).removeListener("end", cut).removeListener("close", cut);
      settle();
    };
    const fail = (message: string) => finish(() => reject(new Error(message)));
    const timer = setTimeout(fail, HEAD_MS, "the request was not completed in time");
    const cut = () => fail("the request ended early");
    const add = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      try {
        const head = readRequestHead(received, about);
        if (head === undefined) return;
        const rest = received.subarray(head.length);
        finish(() => {
          if (rest.length > 0) request.unshift(rest);
          resolve(head);
        });
      } catch (error) {
        finish(() => reject(error));
      }
    };
    request.on("data", add).once("end", cut).once("close", cut);
  });
}
