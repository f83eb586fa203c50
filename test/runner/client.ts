import type { BlueprintInput, RunEvent, RunEventsPage } from "@tenterhook/protocol/runs";

export interface RunView {
  readonly run_id: string;
  readonly session_id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** A client of a coordinator. */
export class Client {
  readonly #served: () => { readonly url: string; readonly token: string };

  /** `served` is called for every request, because a restarted coordinator may have another token. */
  constructor(served: () => { readonly url: string; readonly token: string }) {
    this.#served = served;
  }

  async demand<T>(method: string, path: string, body?: object): Promise<T> {
    const { url, token } = this.#served();
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async put(blueprint: BlueprintInput): Promise<void> {
    await this.demand("PUT", `/agents/${blueprint.name}`, blueprint);
  }

  /** Starts a run, and waits for its end. */
  async run(agent_name: string, parameters: Record<string, unknown> = {}): Promise<RunView> {
    const { run_id } = await this.start(agent_name, parameters);
    return this.until(run_id, ({ status }) => ["completed", "failed", "stopped"].includes(status));
  }

  start(agent_name: string, parameters: Record<string, unknown> = {}): Promise<RunView> {
    return this.demand("POST", "/runs", { agent_name, parameters });
  }

  until(runId: string, isExpected: (run: RunView) => boolean): Promise<RunView> {
    return eventually(() => this.demand<RunView>("GET", `/runs/${runId}`), isExpected);
  }

  async events({ run_id }: RunView): Promise<readonly RunEvent[]> {
    return (await this.demand<RunEventsPage>("GET", `/runs/${run_id}/events?limit=200`)).events;
  }
}

/** Reads until the value is as expected. */
export async function eventually<T>(read: () => Promise<T>, isExpected: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isExpected(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
