import { setTimeout as pause } from "node:timers/promises";
import type { Endpoint } from "./follower.ts";
import type { Occurrences } from "./occurrences.ts";

/** A run that `POST /runs` has acknowledged. */
export interface Acknowledged {
  readonly run_id: string;
  readonly session_id: string;
}

const RETRY_MS = 120_000;
const INSUFFICIENT_STORAGE = 507;

/** A client that retries with the same idempotency key, at one coordinator after the other, until it gets a response. */
export class Client {
  /** By idempotency key. */
  readonly acknowledged = new Map<string, Acknowledged>();
  readonly problems: string[] = [];
  readonly #endpoints: readonly Endpoint[];
  readonly #occurrences: Occurrences;
  #requests = 0;

  constructor(endpoints: readonly Endpoint[], occurrences: Occurrences) {
    this.#endpoints = endpoints;
    this.#occurrences = occurrences;
  }

  /** Starts a run, and repeats the request: a key must start only one run. */
  async start(agent_name: string, more: object = {}): Promise<Acknowledged> {
    const key = `key-${this.acknowledged.size}-${this.#requests}`;
    const body = { agent_name, parameters: { count: 0 }, ...more };
    const run = await this.#send<Acknowledged>("POST", "/runs", body, key);
    this.acknowledged.set(key, run);
    this.#occurrences.record("acknowledged");
    const again = await this.#send<Acknowledged>("POST", "/runs", body, key);
    if (again.run_id !== run.run_id) this.problems.push(`${key} is ${run.run_id} and ${again.run_id}`);
    return run;
  }

  async stop({ run_id }: Acknowledged): Promise<void> {
    await this.#send("POST", `/runs/${run_id}/stop`, {});
  }

  async put(blueprint: { readonly name: string }): Promise<void> {
    await this.#send("PUT", `/agents/${blueprint.name}`, blueprint);
  }

  async read<T>(path: string): Promise<T> {
    return this.#send<T>("GET", path);
  }

  /** Sends a request until there is a response. A permanent refusal is an error. */
  async #send<T>(method: string, path: string, body?: object, key?: string): Promise<T> {
    const until = performance.now() + RETRY_MS;
    for (;;) {
      let last: unknown;
      const answer = await this.#attempt(method, path, body, key).catch((error: unknown) => {
        last = error;
        return undefined;
      });
      if (answer !== undefined && answer.status < 300) return answer.body as T;
      if (answer?.status === INSUFFICIENT_STORAGE) this.#occurrences.record("no_room");
      if (answer !== undefined && answer.status < 500) {
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      if (performance.now() > until) {
        throw new Error(`${method} ${path}: ${JSON.stringify(answer) ?? last}, for ${RETRY_MS} ms`);
      }
      // Clients pause before they retry.
      await pause(25);
    }
  }

  async #attempt(method: string, path: string, body?: object, key?: string) {
    const endpoint = this.#endpoints[this.#requests++ % this.#endpoints.length];
    if (endpoint === undefined) throw new Error("there is no coordinator");
    const sent = fetch(new URL(path, endpoint.url), {
      method,
      headers: {
        authorization: `Bearer ${endpoint.token}`,
        "content-type": "application/json",
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    this.#occurrences.record("sent");
    const answer = await sent;
    return { status: answer.status, body: (await answer.json()) as unknown };
  }
}
