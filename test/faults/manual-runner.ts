import type { Endpoint } from "./follower.ts";

interface RunnerResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A runner that a test controls: it can stop responding, and report late. */
export class ManualRunner {
  readonly #endpoint: Endpoint;
  readonly #id: string;

  private constructor(endpoint: Endpoint, id: string) {
    this.#endpoint = endpoint;
    this.#id = id;
  }

  static async register(endpoint: Endpoint): Promise<ManualRunner> {
    const { body } = await send(endpoint, "POST", "/runner/register", { name: "by hand" });
    return new ManualRunner(endpoint, String(body.runner_id));
  }

  /** The lease on the next run. */
  async claim(): Promise<{ readonly run_id: string; readonly lease_token: string }> {
    const { body } = await send(this.#endpoint, "GET", `/runner/runs?runner_id=${this.#id}&wait=20`);
    return body.run as { run_id: string; lease_token: string };
  }

  report(runId: string, what: string, report: object): Promise<RunnerResponse> {
    return send(this.#endpoint, "POST", `/runner/runs/${runId}/${what}`, report);
  }

  heartbeat(runs: readonly object[]): Promise<RunnerResponse> {
    return send(this.#endpoint, "POST", "/runner/heartbeat", { runner_id: this.#id, runs });
  }
}

async function send(
  { url, token }: Endpoint,
  method: string,
  path: string,
  body?: object,
): Promise<RunnerResponse> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as RunnerResponse["body"]) };
}
