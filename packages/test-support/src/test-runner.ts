import type { AssignedRun, Assignment } from "@tenterhook/protocol/runs";
import type { ApiClient } from "./api-client.ts";

/** The result that a test reports for a run. */
export interface TestResult {
  readonly result_data?: Readonly<Record<string, unknown>> | null;
  readonly result_text?: string | null;
}

/** Executes a run. An error that it throws fails the run. */
export type TestWork = (run: AssignedRun) => TestResult | Promise<TestResult>;

/** A runner in a few lines: claims over HTTP and answers by a function, or by hand. */
export class TestRunner {
  readonly client: ApiClient;
  readonly id: string;

  private constructor(client: ApiClient, id: string) {
    this.client = client;
    this.id = id;
  }

  static async register(
    client: ApiClient,
    more: { readonly name?: string; readonly tags?: readonly string[]; readonly concurrency?: number } = {},
  ): Promise<TestRunner> {
    const { status, body } = await client.post<{ runner_id: string }>("/runner/register", {
      name: "by hand",
      ...more,
    });
    if (status !== 200) throw new Error(`the runner was not registered: ${JSON.stringify(body)}`);
    return new TestRunner(client, body.runner_id);
  }

  /** The next assignment; `undefined` when there is none within `wait` seconds. */
  async next(wait = 5, slots = 1, signal?: AbortSignal): Promise<Assignment | undefined> {
    const path = `/runner/runs?runner_id=${this.id}&wait=${wait}&slots=${slots}`;
    const { status, body } = await this.client.get<Assignment>(path, signal && { signal });
    if (status === 204) return undefined;
    if (status !== 200) throw new Error(`the poll was refused with ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async claim(wait = 30, slots = 1): Promise<AssignedRun> {
    const assignment = await this.next(wait, slots);
    if (assignment?.type !== "run") throw new Error(`no run was assigned, but ${JSON.stringify(assignment)}`);
    return assignment.run;
  }

  report(
    { run_id, lease_token }: Pick<AssignedRun, "run_id" | "lease_token">,
    what: "started" | "events" | "completed" | "failed" | "stopped",
    more: object = {},
  ) {
    return this.client.post<{ status: string }>(`/runner/runs/${run_id}/${what}`, { lease_token, ...more });
  }

  complete(run: AssignedRun, result: TestResult = {}) {
    return this.report(run, "completed", result);
  }

  /** Executes every run that it claims. Returns the function that stops it. */
  work(execute: TestWork): () => Promise<void> {
    const stopping = new AbortController();
    const working = this.#loop(execute, stopping.signal);
    return async () => {
      stopping.abort();
      await working;
    };
  }

  async #loop(execute: TestWork, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const assignment = await this.next(5, 1, signal).catch((error) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (assignment === undefined) continue;
      if (assignment.type === "stop") await this.report(assignment, "stopped");
      else await this.#execute(assignment.run, execute);
    }
  }

  async #execute(run: AssignedRun, execute: TestWork): Promise<void> {
    await this.report(run, "started");
    try {
      await this.complete(run, await execute(run));
    } catch (error) {
      await this.report(run, "failed", { error: error instanceof Error ? error.message : String(error) });
    }
  }
}
