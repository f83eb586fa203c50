import { connect } from "node:net";
import fc from "fast-check";
import { TooSlow } from "../fuzz.ts";
import { writeOut } from "../odd-values.ts";
import { ANSWER_MS } from "./send-request.ts";

/** Bytes that may be a request: pieces of text, sent one after the other, before the sender hangs up. */
export interface RawRequest {
  readonly pieces: readonly string[];
  readonly hangsUp: "half" | "at once";
}

const JSON_BODY = '{"agent_name":"plain","parameters":{}}';

const lines = fc.tuple(
  fc.constantFrom(
    "POST /runs",
    "GET /runs",
    "GET /events",
    "PUT /agents/x",
    "POST /runner/heartbeat",
    "FOO /",
    "GET //[",
    "GET *",
    "get /",
  ),
  fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", ""),
  fc.array(
    fc.constantFrom(
      "Host: 127.0.0.1",
      "Host: 127.0.0.1",
      "Host: a b",
      "Authorization: Bearer @@token@@",
      "Authorization: Bearer @@token@@",
      "Content-Type: application/json",
      "Content-Length: 38",
      "Content-Length: 38",
      "Content-Length: 5",
      "Content-Length: 99999999999",
      "Content-Length: -1",
      "Transfer-Encoding: chunked",
      "Transfer-Encoding: chunked",
      "Transfer-Encoding: gzip, chunked",
      "Expect: 100-continue",
      "Expect: nothing",
      "Upgrade: websocket",
      "Connection: upgrade",
      "X-Long: @@letters:70000@@",
      " folded: line",
      "No colon",
      "Nul\0: x",
    ),
    { maxLength: 6 },
  ),
);

const body = fc.array(
  fc.constantFrom(
    JSON_BODY,
    "26\r\n",
    `26\r\n${JSON_BODY}\r\n`,
    "0\r\n\r\n",
    "zz\r\n",
    "-1\r\n",
    "ffffffffffffffff\r\n",
    "5;ext=\0\r\n{}",
    "\r\n",
    "@@letters:300@@",
  ),
  { maxLength: 4 },
);

export const rawRequest: fc.Arbitrary<RawRequest> = fc.record({
  pieces: fc
    .tuple(lines, body)
    .map(([[start, version, headers], chunks]) => [
      `${start} ${version}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`,
      ...chunks,
    ]),
  hangsUp: fc.constantFrom("half", "half", "at once"),
});

/** Sends the bytes and collects what comes back until the connection ends. */
export function sendRaw(url: string, { pieces, hangsUp }: RawRequest, token: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = "";
    const late = setTimeout(() => {
      socket.destroy();
      reject(new TooSlow(`the connection did not end within ${ANSWER_MS} ms`));
    }, ANSWER_MS);
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      // A stream of events has no end.
      if (answer.includes("text/event-stream")) socket.destroy();
    });
    // To be cut off is an answer, too.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(late);
      resolve(answer);
    });
    for (const piece of pieces) socket.write(writeOut(piece, { token }), "latin1");
    if (hangsUp === "half") socket.end();
    else socket.once("connect", () => setImmediate(() => socket.destroy()));
  });
}
