import { TenterhookClient } from "@tenterhook/client";
import type { BlueprintInput, RunDetail, RunEvent, StartedRun } from "@tenterhook/protocol/runs";

/** What tests of runners do with a coordinator. */
export class Client {
  readonly #served: () => { readonly url: string; readonly token: string };

  /** `served` is called for every request, because a restarted coordinator may have another token. */
  constructor(served: () => { readonly url: string; readonly token: string }) {
    this.#served = served;
  }

  get api(): TenterhookClient {
    const { url, token } = this.#served();
    return new TenterhookClient({ url, token });
  }

  async put(blueprint: BlueprintInput): Promise<void> {
    await this.api.agents.save(blueprint.name, blueprint);
  }

  /** Starts a run, and waits for its end. */
  async run(agent_name: string, parameters: Record<string, unknown> = {}): Promise<RunDetail> {
    const { run_id } = await this.start(agent_name, parameters);
    return this.until(run_id, ({ status }) => ["completed", "failed", "stopped"].includes(status));
  }

  start(agent_name: string, parameters: Record<string, unknown> = {}): Promise<StartedRun> {
    return this.api.runs.start({ agent_name, parameters });
  }

  until(runId: string, isExpected: (run: RunDetail) => boolean): Promise<RunDetail> {
    return eventually(() => this.api.runs.read(runId), isExpected);
  }

  async events({ run_id }: Pick<StartedRun, "run_id">): Promise<readonly RunEvent[]> {
    return (await this.api.runs.listEvents(run_id, { limit: 200 })).events;
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
