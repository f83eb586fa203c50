import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlueprintInput, Run, RunDetail, RunEvent, Scope } from "@tenterhook/protocol/runs";
import { ApiClient, EventReader, TestRunner } from "@tenterhook/test-support";
import type { ServedCoordinator, ServeOptions } from "../serve.ts";
import { serveCoordinator } from "../serve.ts";

/** A coordinator that listens on this machine, with a folder of its own, and clients and runners for it. */
export class TestCoordinator {
  readonly served: ServedCoordinator;
  readonly folder: string;
  /** An administrator. */
  readonly admin: ApiClient;
  /** Unexpected errors. */
  readonly errors: unknown[];

  private constructor(served: ServedCoordinator, folder: string, errors: unknown[]) {
    this.served = served;
    this.folder = folder;
    this.admin = new ApiClient(served.url, served.token);
    this.errors = errors;
  }

  /** Over an embedded database, or over a server's when there is a `url`. */
  static async open(options: Partial<ServeOptions> = {}): Promise<TestCoordinator> {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "tenterhook-coordinator-")));
    const errors: unknown[] = [];
    const report = (error: unknown) => void errors.push(error);
    const served = await serveCoordinator({ sweepMs: 100, graceMs: 1_000, report, ...options, folder });
    return new TestCoordinator(served, folder, errors);
  }

  /** A client with a new token of some scope. */
  async client(scope: Scope): Promise<ApiClient> {
    const { body } = await this.admin.post<{ token: string }>("/tokens", { name: `a ${scope}`, scope });
    return this.admin.as(body.token);
  }

  async save(...blueprints: readonly BlueprintInput[]): Promise<void> {
    for (const blueprint of blueprints) {
      const { status, body } = await this.admin.put(`/agents/${blueprint.name}`, blueprint);
      if (status !== 200 && status !== 201)
        throw new Error(`the agent was not saved: ${JSON.stringify(body)}`);
    }
  }

  async start(agent_name: string, parameters: object = {}, more: object = {}): Promise<Run> {
    const { status, body } = await this.admin.post<Run>("/runs", { agent_name, parameters, ...more });
    if (status !== 201) throw new Error(`the run was not started: ${JSON.stringify(body)}`);
    return body;
  }

  async run(id: string): Promise<RunDetail> {
    return (await this.admin.get<RunDetail>(`/runs/${id}`)).body;
  }

  /** A run when it has ended. */
  async ended(id: string): Promise<RunDetail> {
    const { session_id } = await this.run(id);
    for (;;) {
      const { status } = await this.admin.get(`/sessions/${session_id}/result?wait=30`);
      if (status === 200) return this.run(id);
      if (status >= 300) throw new Error(`the result of the session was refused: ${status}`);
    }
  }

  async events(id: string): Promise<RunEvent[]> {
    return (await this.admin.get<{ events: RunEvent[] }>(`/runs/${id}/events?limit=200`)).body.events;
  }

  runner(more: Parameters<typeof TestRunner.register>[1] = {}): Promise<TestRunner> {
    return TestRunner.register(this.admin, more);
  }

  follow(query = "", headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
    const authorization = `Bearer ${this.admin.token}`;
    return EventReader.open(`${this.served.url}/events${query}`, { authorization, ...headers });
  }

  async close(): Promise<void> {
    await this.served.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
