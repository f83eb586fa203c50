import type { IncomingMessage } from "node:http";
import { Problem } from "../problem.ts";

export interface BodyLimits {
  readonly bytes: number;
  /** How deep objects and arrays may be nested. */
  readonly depth: number;
}

export const DEFAULT_BODY_LIMITS: BodyLimits = { bytes: 1024 * 1024, depth: 64 };

/** Reads a request's JSON; an empty body is an empty object. */
export async function readBody(incoming: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  const length = Number(incoming.headers["content-length"] ?? Number.NaN);
  if (length > limits.bytes) throw tooLarge(limits);
  const bytes = length === 0 ? EMPTY : await collect(incoming, limits);
  if (bytes.length === 0) return {};
  checkMediaType(incoming);
  const value = parse(bytes);
  if (isDeeper(value, limits.depth)) {
    throw new Problem("too_large", `the body is nested deeper than ${limits.depth} levels`);
  }
  return value;
}

const EMPTY = Buffer.alloc(0);

function collect(incoming: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
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
  // A form of another site could send anything else without asking first.
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(headers["content-type"] ?? "")) return;
  throw new Problem("unsupported_media_type", "the body must be JSON", {
    hint: "Send `Content-Type: application/json`.",
  });
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(DECODER.decode(bytes));
  } catch (error) {
    const what = error instanceof SyntaxError ? error.message : "it is not UTF-8";
    throw new Problem("bad_request", `the body is not JSON: ${what}`);
  }
}

/** Whoever stores or prints a value later does it by recursion. */
function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (most === 0) return true;
  for (const key in value) {
    if (isDeeper((value as Record<string, unknown>)[key], most - 1)) return true;
  }
  return false;
}

function tooLarge({ bytes }: BodyLimits): Problem {
  return new Problem("too_large", `the body is larger than ${bytes} bytes`);
}
