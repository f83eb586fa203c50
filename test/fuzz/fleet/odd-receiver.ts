import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import fc from "fast-check";
import { mutated, mutation } from "../mutate-json.ts";
import { oddText, writeOut } from "../odd-values.ts";

/** What a receiver of webhooks sends back. Its body has the names of `writeOut`. */
export interface OddAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  readonly sends: "all" | "half" | "nothing" | "no length" | "wrong length" | "broken chunks";
}

const body = fc.oneof(
  fc
    .tuple(
      fc.constantFrom<object>(
        { action: "continue", parameters: { key: "x" } },
        { action: "continue" },
        { action: "block", block_reason: "no" },
        { action: "block" },
        {},
      ),
      fc.oneof(fc.constant([]), fc.array(mutation, { maxLength: 3 })),
    )
    .map(([value, mutations]) => JSON.stringify(mutated(value, mutations)) ?? ""),
  oddText,
  fc.constantFrom(
    '{"action":"continue","parameters":"@@objects:5000@@"}',
    '"@@arrays:100000@@"',
    "@@letters:2000000@@",
  ),
);

export const oddAnswer: fc.Arbitrary<OddAnswer> = fc.record({
  status: fc.oneof(
    { weight: 5, arbitrary: fc.constant(200) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        201,
        204,
        205,
        206,
        301,
        302,
        304,
        307,
        400,
        401,
        404,
        410,
        418,
        429,
        500,
        503,
        599,
        999,
      ),
    },
  ),
  headers: fc.array(
    fc.constantFrom(
      "Content-Type: text/html",
      "Content-Type: application/json; charset=utf-16",
      "Content-Encoding: gzip",
      "Content-Encoding: br",
      "Transfer-Encoding: gzip",
      "Location: http://127.0.0.1:9/",
      "Location: //",
      "Location: file:///etc/passwd",
      "Retry-After: 99999999999",
      "Retry-After: never",
      "Connection: upgrade",
      "Set-Cookie: a=b",
      "X-Empty:",
      "No colon at all",
    ),
    { maxLength: 2 },
  ),
  body,
  sends: fc.oneof(
    { weight: 6, arbitrary: fc.constant("all" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("half", "nothing", "no length", "wrong length", "broken chunks"),
    },
  ),
});

/** A receiver on this machine. It answers a call about the parameter `key` with what `answers` has for it. */
export async function startOddReceiver(
  answers: ReadonlyMap<string, OddAnswer>,
  atEnd: (close: () => void) => void,
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    let request = "";
    socket.on("data", (chunk: Buffer) => {
      request += chunk.toString("latin1");
      const [, key] = /"key":"([^"]+)"/.exec(request) ?? [];
      const answer = key === undefined ? undefined : answers.get(key);
      if (answer === undefined) return;
      request = "";
      socket.end(bytesOf(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function bytesOf({ status, headers, body: text, sends }: OddAnswer): Buffer {
  if (sends === "nothing") return Buffer.alloc(0);
  const content = Buffer.from(writeOut(text));
  const length = sends === "wrong length" ? content.length + 7 : content.length;
  const framing = { "broken chunks": ["Transfer-Encoding: chunked"], "no length": [] as string[] };
  const lines = [
    `HTTP/1.1 ${status} Odd`,
    ...headers,
    ...(framing[sends as keyof typeof framing] ?? [`Content-Length: ${length}`]),
  ];
  const whole = Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), content]);
  return sends === "half" ? whole.subarray(0, Math.floor(whole.length / 2)) : whole;
}

/** Whether an answer clearly refuses the run. */
export function isRefusal({ status, headers, body: text, sends }: OddAnswer): boolean {
  if (status !== 200 || headers.length > 0 || sends !== "all") return false;
  try {
    const answer: unknown = JSON.parse(writeOut(text));
    return typeof answer === "object" && answer !== null && "action" in answer && answer.action === "block";
  } catch {
    return false;
  }
}
