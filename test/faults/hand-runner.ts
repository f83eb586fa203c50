import type { Door } from "./follower.ts";

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A runner that does only what it is told to: it can stop answering, and be late. */
export class HandRunner {
  readonly #door: Door;
  readonly #id: string;

  private constructor(door: Door, id: string) {
    this.#door = door;
    this.#id = id;
  }

  static async register(door: Door): Promise<HandRunner> {
    const { body } = await ask(door, "POST", "/runner/register", { name: "by hand" });
    return new HandRunner(door, String(body.runner_id));
  }

  /** The lease on the next run. */
  async claim(): Promise<{ readonly run_id: string; readonly lease_token: string }> {
    const { body } = await ask(this.#door, "GET", `/runner/runs?runner_id=${this.#id}&wait=20`);
    return body.run as { run_id: string; lease_token: string };
  }

  report(runId: string, what: string, report: object): Promise<Answer> {
    return ask(this.#door, "POST", `/runner/runs/${runId}/${what}`, report);
  }

  heartbeat(runs: readonly object[]): Promise<Answer> {
    return ask(this.#door, "POST", "/runner/heartbeat", { runner_id: this.#id, runs });
  }
}

async function ask({ url, token }: Door, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? {} : (JSON.parse(text) as Answer["body"]) };
}
