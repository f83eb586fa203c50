import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import { text } from "node:stream/consumers";
import { storableJson } from "@tenterhook/protocol/runs";
import { z } from "zod";
import { NetworkFailure, Refusal } from "./refusal.ts";

/** Where the coordinator is, and what lets us in. */
export interface Address {
  readonly url: string;
  readonly token: string;
}

export interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** What is asked instead when a connection broke before there was an answer. Default: the same. */
  readonly pathAgain?: string;
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
 * How many kept connections are passed over that were closed from the other side just when they were used again: that says
 * nothing about whether the coordinator is there.
 */
const MOST_STALE = 2;

/**
 * The line to the coordinator: connections that are kept, and closed with it. Not `fetch`, which opens a connection for
 * nobody when a request is aborted, and a coordinator that closes would wait for it.
 */
export class Line {
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
   * Asks once. Resolves to the answer, `undefined` when there is nothing to say (204); rejects with a `Refusal` when the
   * coordinator refuses, with a `NetworkFailure` when no answer came in time, and with what is wrong with a body that cannot
   * be sent.
   */
  async ask({ signal, timeoutMs, body, ...asked }: Question): Promise<unknown> {
    signal.throwIfAborted();
    const json = body === undefined ? undefined : storableJson(body, "the report");
    const question = { ...asked, json };
    // Not `AbortSignal.any`: the signal may live as long as the runner, and would hold on to every question.
    const controller = new AbortController();
    const follow = () => controller.abort(signal.reason);
    signal.addEventListener("abort", follow, { once: true });
    const giveUp = () => controller.abort(new Error(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(giveUp, timeoutMs);
    try {
      const response = await this.#send(question, controller.signal);
      // From here on the answer is there, and an answer that is there is read: there may be a run in it.
      signal.removeEventListener("abort", follow);
      const { statusCode = 0 } = response;
      const said = await text(response);
      if (statusCode < 200 || statusCode > 299) throw refusal(statusCode, said);
      return said === "" ? undefined : JSON.parse(said);
    } catch (error) {
      throw error instanceof Refusal ? error : new NetworkFailure(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", follow);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    question: Pick<Question, "method" | "path" | "pathAgain" | "headers"> & {
      readonly json: string | undefined;
    },
    signal: AbortSignal,
    tries = MOST_STALE,
  ): Promise<IncomingMessage> {
    const { method, path, pathAgain = path, json } = question;
    const headers = {
      authorization: `Bearer ${this.#token}`,
      accept: "application/json",
      ...question.headers,
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
        // Every question can be asked twice, as it would be a moment later anyway.
        const isStale = request.reusedSocket && error.code === "ECONNRESET" && !signal.aborted;
        if (isStale && tries > 0) resolve(this.#send({ ...question, path: pathAgain }, signal, tries - 1));
        else reject(error);
      });
      request.end(json);
    });
  }
}

/** Statuses of a proxy about the request itself: the same request gets the same answer. */
const ABOUT_THE_REQUEST = new Set([400, 413, 414, 422, 431]);

/** What is no problem of the coordinator's own making came from something in between, and the coordinator is away. */
function refusal(status: number, said: string): Error {
  let read: z.infer<typeof problem>;
  try {
    read = problem.parse(JSON.parse(said));
  } catch {
    const words = `there is an answer, of status ${status}, that is not the coordinator's`;
    return ABOUT_THE_REQUEST.has(status)
      ? new Refusal(status, "refused_on_the_way", words)
      : new Error(words);
  }
  const { code, title = code, detail = title, hint } = read;
  return new Refusal(status, code, hint === undefined ? detail : `${detail} ${hint}`);
}
