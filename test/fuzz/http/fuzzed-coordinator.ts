import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssignedRun, BlueprintInput, Scope } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import type { Endpoint } from "../../faults/follower.ts";
import { LiveProcess } from "../../faults/live-process.ts";
import { writeOut } from "../odd-values.ts";
import type { Credential, FuzzRequest } from "./fuzz-request.ts";

type SessionCredential = Extract<Credential, `${string} session`>;
type Names = Readonly<Record<string, string>>;

const TARGETS = 8;

const HOOK = { type: "agent", agent_name: "plain", on_error: "continue" } as const;

const AGENTS: readonly BlueprintInput[] = [
  { name: "plain", type: "procedural", command: ["true"] },
  { name: "changing", type: "procedural", command: ["true"] },
  { name: "hooked", type: "procedural", command: ["true"], hooks: { on_run_start: HOOK, on_result: HOOK } },
  {
    name: "typed",
    type: "procedural",
    command: ["true"],
    parameters_schema: { type: "object", properties: { count: { type: "integer" } } },
  },
];

/** A coordinator in a process of its own, tokens of every kind, and runs that the names in requests mean. */
export class FuzzedCoordinator {
  readonly url: string;
  readonly admin: ApiClient;
  readonly tokens: Readonly<Record<Exclude<Credential, SessionCredential>, string | undefined>>;
  #cookies: Readonly<Record<SessionCredential, string>>;
  readonly #process: LiveProcess<Endpoint>;
  readonly #folder: string;
  readonly #runner: TestRunner;
  readonly #targets: Names[] = [];

  private constructor(
    process: LiveProcess<Endpoint>,
    folder: string,
    admin: ApiClient,
    runner: TestRunner,
    tokens: FuzzedCoordinator["tokens"],
    cookies: Readonly<Record<SessionCredential, string>>,
  ) {
    this.url = process.ready.url;
    this.#process = process;
    this.#folder = folder;
    this.admin = admin;
    this.#runner = runner;
    this.tokens = tokens;
    this.#cookies = cookies;
  }

  /** Over an embedded database, or over a server's when there is a `database`. */
  static async start(flags: readonly string[], database?: string): Promise<FuzzedCoordinator> {
    const folder = await mkdtemp(join(tmpdir(), "tenterhook-fuzz-"));
    // Not limited: refusals of a limit would hide what the requests are for.
    const anonymousRate = { burst: 1_000_000, perSecond: 1_000_000 };
    const options = { folder, url: database, sweepMs: 200, webhooks: { allowPrivate: true }, anonymousRate };
    const process = await LiveProcess.start<Endpoint>("coordinator", options, { flags });
    const admin = new ApiClient(process.ready.url, process.ready.token);
    for (const each of AGENTS) await admin.put(`/agents/${each.name}`, each);
    await admin.put("/hooks/shared-hook", HOOK);
    const runner = await TestRunner.register(admin, { name: "target" });
    const tokens = await tokensOf(admin);
    const cookies = await cookiesOf(admin, tokens);
    const fuzzed = new FuzzedCoordinator(process, folder, admin, runner, tokens, cookies);
    while (fuzzed.#targets.length < TARGETS) await fuzzed.#addTarget();
    return fuzzed;
  }

  /** What the names in a request mean. */
  names(target: number): Names {
    return this.#targets[target % this.#targets.length] ?? {};
  }

  /** The headers that say who sends a request. */
  credentials({ credential, cookie }: FuzzRequest): Readonly<Record<string, string>> {
    if (isSession(credential)) {
      const names = { cookie: this.#cookies[credential] };
      return { cookie: writeOut(cookie, names), origin: this.url };
    }
    const token = this.tokens[credential];
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  /** Puts a fresh run in the place of the oldest target, and signs in again where a request has signed out. */
  async renew(): Promise<void> {
    this.#cookies = await cookiesOf(this.admin, this.tokens);
    await this.#addTarget();
    if (this.#targets.length > TARGETS) this.#targets.shift();
  }

  async #addTarget(): Promise<void> {
    const { body: token } = await this.admin.post<{ token_id: string }>("/tokens", {
      name: "x",
      scope: "viewer",
    });
    const run = await this.#claimed();
    const approval = {
      lease_token: run.lease_token,
      key: "k",
      hook: "h",
      reason: "r",
      subject: { toolInput: {} },
    };
    const { body } = await this.admin.post<{ approval_id: string }>(
      `/runner/runs/${run.run_id}/approvals`,
      approval,
    );
    this.#targets.push({
      run: run.run_id,
      session: run.session_id,
      lease: run.lease_token,
      runner: this.#runner.id,
      approval: body.approval_id,
      token: token.token_id,
    });
  }

  /** Bytes of memory that the process has. */
  async memory(): Promise<number> {
    const { body } = await this.admin.get<string>("/metrics");
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(body)?.[1]);
  }

  /** What it has last written to its standard error. */
  get errorOutput(): string {
    return this.#process.errorOutput;
  }

  async close(): Promise<void> {
    await this.#process.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #claimed(): Promise<AssignedRun> {
    // A runner may have been drained, and an agent changed, by one of the requests.
    const name = `target-${Math.random().toString(36).slice(2)}`;
    await this.admin.put(`/agents/${name}`, { type: "procedural", command: ["true"], tags: [name] });
    await this.admin.post("/runs", { agent_name: name });
    const runner = await TestRunner.register(this.admin, { name, tags: [name] });
    return runner.claim(10);
  }
}

async function tokensOf(admin: ApiClient): Promise<FuzzedCoordinator["tokens"]> {
  const make = async (scope: Scope, more: object = {}) => {
    const { body } = await admin.post<{ token: string; token_id: string }>("/tokens", {
      name: scope,
      scope,
      ...more,
    });
    return body;
  };
  const expired = await make("admin", { expires_in_seconds: 1 });
  const revoked = await make("admin");
  await admin.delete(`/tokens/${revoked.token_id}`);
  while ((await admin.as(expired.token).get("/whoami")).status !== 401) await new Promise(setImmediate);
  return {
    none: undefined,
    garbage: "not-a-token",
    viewer: (await make("viewer")).token,
    client: (await make("client")).token,
    runner: (await make("runner")).token,
    admin: (await make("admin")).token,
    expired: expired.token,
    revoked: revoked.token,
  };
}

function isSession(credential: Credential): credential is SessionCredential {
  return credential.endsWith(" session");
}

/** Sessions of people who have signed in, as a browser would send them. */
async function cookiesOf(
  admin: ApiClient,
  tokens: FuzzedCoordinator["tokens"],
): Promise<Readonly<Record<SessionCredential, string>>> {
  const signIn = async (token = "") => {
    const { headers } = await admin.post("/login", { token }, { token: null });
    return headers.get("set-cookie")?.split(";")[0] ?? "";
  };
  const ended = await signIn(tokens.admin);
  const headers = { cookie: ended, origin: admin.url };
  await admin.post("/logout", {}, { token: null, headers });
  return {
    "viewer session": await signIn(tokens.viewer),
    "client session": await signIn(tokens.client),
    "admin session": await signIn(tokens.admin),
    "ended session": ended,
  };
}
