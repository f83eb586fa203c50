import { setTimeout as pause } from "node:timers/promises";
import {
  HttpClient,
  type Input,
  type InputArguments,
  isRequestError,
  type OperationName,
  type ResponseOf,
} from "@tenterhook/client";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import type { Endpoint } from "./follower.ts";
import type { Occurrences } from "./occurrences.ts";

/** A run that `POST /runs` has acknowledged. */
export interface Acknowledged {
  readonly run_id: string;
  readonly session_id: string;
}

const RETRY_MS = 120_000;
const ATTEMPT_MS = 15_000;
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
    const request = { body, idempotencyKey: key };
    const run = await this.#send("POST /runs", request);
    this.acknowledged.set(key, run);
    this.#occurrences.record("acknowledged");
    const again = await this.#send("POST /runs", request);
    if (again.run_id !== run.run_id) this.problems.push(`${key} is ${run.run_id} and ${again.run_id}`);
    return run;
  }

  async stop({ run_id }: Acknowledged): Promise<void> {
    await this.#send("POST /runs/{id}/stop", { params: { id: run_id }, body: {} });
  }

  async put(blueprint: BlueprintInput): Promise<void> {
    await this.#send("PUT /agents/{name}", { params: { name: blueprint.name }, body: blueprint });
  }

  /** Reads a path of the API, such as `/runs/run_1`. */
  async read<T>(path: string): Promise<T> {
    return (await this.#send(`GET ${path}` as "GET /whoami", {})) as T;
  }

  /** Sends a request until there is a response. A permanent refusal is an error. */
  async #send<O extends OperationName>(operation: O, input: Input<O>): Promise<ResponseOf<O>> {
    const until = performance.now() + RETRY_MS;
    for (;;) {
      try {
        return await this.#attempt(operation, input);
      } catch (error) {
        if (!isRequestError(error)) throw error;
        if (error.status === INSUFFICIENT_STORAGE) this.#occurrences.record("no_room");
        const isRefusal = error.problem !== undefined && (error.status ?? 0) < 500;
        if (isRefusal || performance.now() > until) {
          throw new Error(`${operation}: ${error.status} ${error.message}`, { cause: error });
        }
      }
      // Clients pause before they retry.
      await pause(25);
    }
  }

  /** Sends a request once, each time to another coordinator. */
  #attempt<O extends OperationName>(operation: O, input: Input<O>): Promise<ResponseOf<O>> {
    const endpoint = this.#endpoints[this.#requests++ % this.#endpoints.length];
    if (endpoint === undefined) throw new Error("there is no coordinator");
    const client = new HttpClient({ ...endpoint, timeoutMs: ATTEMPT_MS, retry: { attempts: 1 } });
    // One argument suits every operation, which the compiler cannot know.
    const sent = client.send(operation, ...([input] as unknown as InputArguments<O>));
    this.#occurrences.record("sent");
    return sent;
  }
}
