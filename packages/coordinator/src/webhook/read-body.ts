import type { IncomingMessage } from "node:http";
import { WebhookFailure } from "./webhook-failure.ts";

const FIRST_BYTES = 16 * 1024;

/** Reads the body of a response, and no further than the limit. A compressed body is refused: it was not requested. */
export async function readBody(response: IncomingMessage, maxBytes: number, origin: string): Promise<Buffer> {
  const { statusCode: status, headers } = response;
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new WebhookFailure("bad_response", `${origin} answered with a compressed body.`, { status });
  }
  const tooLarge = () =>
    new WebhookFailure("response_too_large", `${origin} answered with more than ${maxBytes} bytes.`, {
      status,
    });
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  // One buffer that grows: a million chunks of a byte each, kept as they come, would take a hundred times their size.
  let body = Buffer.alloc(Math.min(FIRST_BYTES, maxBytes));
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const needed = length + chunk.length;
    if (needed > maxBytes) throw tooLarge();
    if (needed > body.length) body = grown(body, Math.min(maxBytes, Math.max(needed, 2 * body.length)));
    chunk.copy(body, length);
    length = needed;
  }
  return body.subarray(0, length);
}

function grown(body: Buffer, size: number): Buffer<ArrayBuffer> {
  const larger = Buffer.alloc(size);
  body.copy(larger);
  return larger;
}
