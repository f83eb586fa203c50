import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { TooSlow } from "../fuzz.ts";
import { writeOut } from "../odd-values.ts";
import type { FuzzRequest } from "./fuzz-request.ts";

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty for a stream of events. */
  readonly text: string;
  /** Where it went in the end. */
  readonly address: string;
}

/** No operation may take longer, on a busy machine as well. */
export const ANSWER_MS = 10_000;

/** A trial rightly waits for its hook, which no runner executes here: the client hangs up after this time, which ends the trial. */
const TRIAL_MS = 1_000;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends a request; `undefined` for a trial that waits, and if the coordinator hung up because it did not want to read so much. */
export function sendRequest(
  url: string,
  fuzzed: FuzzRequest,
  names: Readonly<Record<string, string>>,
  credentials: Readonly<Record<string, string>>,
): Promise<FuzzAnswer | undefined> {
  const address = addressOf(fuzzed, names);
  const body =
    fuzzed.body === undefined ? undefined : Buffer.from(writeOut(fuzzed.body, names), fuzzed.encoding);
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      hostname,
      port,
      path: address,
      method: fuzzed.method,
      headers: {
        ...credentials,
        ...(body !== undefined && { "content-length": body.length }),
        ...fuzzed.headers,
      },
    });
    const isTrial = fuzzed.operation.endsWith("/trial");
    const late = setTimeout(
      () => {
        if (isTrial) resolve(undefined);
        sent.destroy(new TooSlow(`no answer within ${ANSWER_MS} ms`));
      },
      isTrial ? TRIAL_MS : ANSWER_MS,
    );
    sent.on("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      const chunks: Buffer[] = [];
      const end = () => {
        clearTimeout(late);
        resolve({ status, headers, text: Buffer.concat(chunks).toString(), address });
      };
      if (headers["content-type"]?.startsWith("text/event-stream")) {
        end();
        response.destroy();
        return;
      }
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", end);
      response.on("error", reject);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      const isTooMuch =
        ((body?.length ?? 0) > 1024 * 1024 || address.length > 16 * 1024) &&
        ["EPIPE", "ECONNRESET"].includes(error.code ?? "");
      if (isTooMuch) resolve(undefined);
      else reject(error);
    });
    sent.end(body);
  });
}

function addressOf({ path, query }: FuzzRequest, names: Readonly<Record<string, string>>): string {
  const escaped = (text: string) =>
    text.startsWith("raw:") ? text.slice(4) : encodeURIComponent(wellFormed(writeOut(text, names)));
  const words = query.map(([key, value]) => `${escaped(key)}=${escaped(value)}`);
  return `/${path.map(escaped).join("/")}${words.length === 0 ? "" : `?${words.join("&")}`}`;
}

/** Halves of characters cannot be escaped. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
