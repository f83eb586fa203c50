import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import { text } from "node:stream/consumers";
import { linkedController } from "@tenterhook/internal";
import { storableJson } from "@tenterhook/protocol/runs";
import { z } from "zod";
import { NetworkFailure, Refusal } from "./refusal.ts";

/** The coordinator's URL, and the access token. */
export interface Address {
  readonly url: string;
  readonly token: string;
}

export interface ApiRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The path of the repeated request, when a connection broke before there was an answer. Default: the same. */
  readonly retryPath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const problem = z.object({
  code: z.string(),
  title: z.string().optional(),
  detail: z.string().optional(),
  hint: z.string().optional(),
});

/**
 * How many kept connections are skipped that were closed by the other side just when they were reused: that does not show that the
 * coordinator is down.
 */
const MAX_STALE = 2;

/**
 * Sends requests to the coordinator over kept connections, which are closed with it. Not `fetch`, which opens an unused connection
 * when a request is aborted, and a coordinator that closes would wait for it.
 */
export class HttpClient {
  readonly #base: string;
  readonly #token: string;
  readonly #isSecure: boolean;
  readonly #agent: Agent;

  constructor({ url, token }: Address) {
    this.#base = url.replace(/\/+$/, "");
    this.#token = token;
    this.#isSecure = new URL(url).protocol === "https:";
    this.#agent = this.#isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  }

  /**
   * Sends one request. Resolves to the answer, `undefined` without content (204); rejects with a `Refusal` when the coordinator
   * refuses, with a `NetworkFailure` when no answer came in time, and with the error of a body that cannot be sent.
   */
  async send({ signal, timeoutMs, body, ...rest }: ApiRequest): Promise<unknown> {
    signal.throwIfAborted();
    const json = body === undefined ? undefined : storableJson(body, "the report");
    const request = { ...rest, json };
    const { controller, release } = linkedController(signal);
    const giveUp = () => controller.abort(new Error(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(giveUp, timeoutMs);
    try {
      const response = await this.#open(request, controller.signal);
      // An answer that has begun is read to its end, because it may contain a run.
      release();
      const { statusCode = 0 } = response;
      const answer = await text(response);
      if (statusCode < 200 || statusCode > 299) throw refusal(statusCode, answer);
      return answer === "" ? undefined : JSON.parse(answer);
    } catch (error) {
      throw error instanceof Refusal ? error : new NetworkFailure(error);
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #open(
    wanted: Pick<ApiRequest, "method" | "path" | "retryPath" | "headers"> & {
      readonly json: string | undefined;
    },
    signal: AbortSignal,
    tries = MAX_STALE,
  ): Promise<IncomingMessage> {
    const { method, path, retryPath = path, json } = wanted;
    const headers = {
      authorization: `Bearer ${this.#token}`,
      accept: "application/json",
      ...wanted.headers,
      ...(json !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(json),
      }),
    };
    const open = this.#isSecure ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.#agent, signal };
      const request = open(`${this.#base}${path}`, options, resolve);
      request.on("error", (error: NodeJS.ErrnoException) => {
        // Every request can be repeated, as it would be a moment later anyway.
        const isStale = request.reusedSocket && error.code === "ECONNRESET" && !signal.aborted;
        if (isStale && tries > 0) resolve(this.#open({ ...wanted, path: retryPath }, signal, tries - 1));
        else reject(error);
      });
      request.end(json);
    });
  }
}

/** Statuses of a proxy about the request itself: the same request gets the same answer. */
const ABOUT_THE_REQUEST = new Set([400, 413, 414, 422, 431]);

/** A response that is not a problem document of the coordinator came from a proxy: the coordinator is unreachable. */
function refusal(status: number, answer: string): Error {
  let read: z.infer<typeof problem>;
  try {
    read = problem.parse(JSON.parse(answer));
  } catch {
    const message = `an answer of status ${status} did not come from the coordinator`;
    return ABOUT_THE_REQUEST.has(status)
      ? new Refusal(status, "refused_on_the_way", message)
      : new Error(message);
  }
  const { code, title = code, detail = title, hint } = read;
  return new Refusal(status, code, hint === undefined ? detail : `${detail} ${hint}`);
}
