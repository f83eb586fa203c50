import type { IncomingMessage } from "node:http";
import { isJsonLimit, JSON_DOCUMENT_LIMITS, type JsonLimits, parseJson } from "@tenterhook/internal";
import { Problem } from "../problem.ts";

/** A body is kept in memory and stored as a whole, so its limit is smaller than that of other JSON. The depth is the same. */
export const DEFAULT_BODY_LIMITS: JsonLimits = { ...JSON_DOCUMENT_LIMITS, bytes: 1024 * 1024 };

/** Reads a request's JSON; an empty body is an empty object. */
export async function readBody(incoming: IncomingMessage, limits: JsonLimits): Promise<unknown> {
  const length = Number(incoming.headers["content-length"] ?? Number.NaN);
  if (length > limits.bytes) throw tooLarge(limits);
  const bytes = length === 0 ? EMPTY : await collect(incoming, limits);
  if (bytes.length === 0) return {};
  checkMediaType(incoming);
  return parse(bytes, limits);
}

const EMPTY = Buffer.alloc(0);

function collect(incoming: IncomingMessage, limits: JsonLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = () => {
      incoming.off("data", take).off("end", end).off("close", cut).off("error", cut);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.bytes) {
        settle();
        incoming.pause();
        reject(tooLarge(limits));
      } else chunks.push(chunk);
    };
    const end = () => {
      settle();
      resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, size));
    };
    const cut = () => {
      settle();
      reject(new Problem("bad_request", "the body broke off"));
    };
    incoming.on("data", take).on("end", end).on("close", cut).on("error", cut);
  });
}

function checkMediaType({ headers }: IncomingMessage): void {
  // A form of another site can send any other type without a preflight request.
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(headers["content-type"] ?? "")) return;
  throw new Problem("unsupported_media_type", "the body must be JSON", {
    hint: "Send `Content-Type: application/json`.",
  });
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Buffer, limits: JsonLimits): unknown {
  try {
    return parseJson(DECODER.decode(bytes), "the body", limits);
  } catch (error) {
    if (isJsonLimit(error)) throw new Problem("too_large", error.message);
    const what = error instanceof SyntaxError ? error.message : "it is not UTF-8";
    throw new Problem("bad_request", `the body is not JSON: ${what}`);
  }
}

function tooLarge({ bytes }: JsonLimits): Problem {
  return new Problem("too_large", `the body is larger than ${bytes} bytes`);
}
