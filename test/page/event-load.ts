import { ApiClient, TestRunner } from "@tenterhook/test-support";
import type { TestDashboard } from "./test-dashboard.ts";

/** What a program printed; with the changes of its state, a run has ten events. */
const LINES = 6;
const EVENTS_OF_RUN = LINES + 4;
/** Runs that are under way at once. */
const WORKERS = 12;

/** Runs at a steady rate, through the API: created, claimed, reported and completed by a runner. */
export class EventLoad {
  readonly #client: ApiClient;
  readonly #runner: TestRunner;

  private constructor(client: ApiClient, runner: TestRunner) {
    this.#client = client;
    this.#runner = runner;
  }

  static async prepare({ fleet }: TestDashboard): Promise<EventLoad> {
    await fleet.put({ name: "printer", type: "procedural", command: ["true"] });
    const client = new ApiClient(fleet.served.url, fleet.served.token);
    return new EventLoad(client, await TestRunner.register(client, { concurrency: 100 }));
  }

  /** Causes so many events a second for a while. Returns the rate that was reached. */
  async run(eventsPerSecond: number, seconds: number): Promise<number> {
    const count = Math.round((eventsPerSecond * seconds) / EVENTS_OF_RUN);
    const begin = performance.now();
    let next = 0;
    const work = async () => {
      while (next < count) {
        const due = begin + (next++ * EVENTS_OF_RUN * 1_000) / eventsPerSecond;
        await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
        await this.#execute();
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    return (count * EVENTS_OF_RUN * 1_000) / (performance.now() - begin);
  }

  async #execute(): Promise<void> {
    const parameters = { task: "print a few lines" };
    const start = { agent_name: "printer", parameters, execution_mode: "async_poll" };
    const { status } = await this.#client.post("/runs", start);
    if (status >= 300) throw new Error(`the run was not started: ${status}`);
    const run = await this.#runner.claim();
    await this.#runner.report(run, "started");
    const events = Array.from({ length: LINES }, (_, line) => ({
      event_type: "log",
      data: { text: `line ${line} of ${run.run_id}, which says what the program does at this moment` },
      ms_ago: 0,
    }));
    await this.#runner.report(run, "events", { first: 1, events });
    await this.#runner.complete(run, { result_text: "printed" });
  }
}
