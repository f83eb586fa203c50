import { setTimeout as pause } from "node:timers/promises";
import type { Door } from "./follower.ts";
import type { Moments } from "./moments.ts";

/** A run that `POST /runs` has acknowledged. */
export interface Acknowledged {
  readonly run_id: string;
  readonly session_id: string;
}

const PATIENCE_MS = 30_000;
const NO_ROOM = 507;

/** A client that does not give up: it asks one coordinator after the other, with the same key, until one has answered. */
export class Client {
  /** By the keys that they were asked for with. */
  readonly acknowledged = new Map<string, Acknowledged>();
  readonly problems: string[] = [];
  readonly #doors: readonly Door[];
  readonly #moments: Moments;
  #asked = 0;

  constructor(doors: readonly Door[], moments: Moments) {
    this.#doors = doors;
    this.#moments = moments;
  }

  /** Starts a run, and asks for it once more when it has it: a key is good for one run. */
  async start(agent_name: string, more: object = {}): Promise<Acknowledged> {
    const key = `key-${this.acknowledged.size}-${this.#asked}`;
    const body = { agent_name, parameters: { count: 0 }, ...more };
    const run = await this.#answered<Acknowledged>("POST", "/runs", body, key);
    this.acknowledged.set(key, run);
    this.#moments.tell("acknowledged");
    const again = await this.#answered<Acknowledged>("POST", "/runs", body, key);
    if (again.run_id !== run.run_id) this.problems.push(`${key} is ${run.run_id} and ${again.run_id}`);
    return run;
  }

  async stop({ run_id }: Acknowledged): Promise<void> {
    await this.#answered("POST", `/runs/${run_id}/stop`, {});
  }

  async put(blueprint: { readonly name: string }): Promise<void> {
    await this.#answered("PUT", `/agents/${blueprint.name}`, blueprint);
  }

  async read<T>(path: string): Promise<T> {
    return this.#answered<T>("GET", path);
  }

  /** Asks until there is an answer. What is refused for good is an error. */
  async #answered<T>(method: string, path: string, body?: object, key?: string): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      let last: unknown;
      const answer = await this.#ask(method, path, body, key).catch((error: unknown) => {
        last = error;
        return undefined;
      });
      if (answer !== undefined && answer.status < 300) return answer.body as T;
      if (answer?.status === NO_ROOM) this.#moments.tell("no_room");
      if (answer !== undefined && answer.status < 500) {
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      if (performance.now() > until) {
        throw new Error(`${method} ${path}: ${JSON.stringify(answer) ?? last}, for ${PATIENCE_MS} ms`);
      }
      // Clients wait a moment before they ask again.
      await pause(25);
    }
  }

  async #ask(method: string, path: string, body?: object, key?: string) {
    const door = this.#doors[this.#asked++ % this.#doors.length];
    if (door === undefined) throw new Error("nobody is there");
    const asked = fetch(new URL(path, door.url), {
      method,
      headers: {
        authorization: `Bearer ${door.token}`,
        "content-type": "application/json",
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    this.#moments.tell("sent");
    const answer = await asked;
    return { status: answer.status, body: (await answer.json()) as unknown };
  }
}
