import { hostCheck } from "../access/host.ts";
import { KnownTokens } from "../access/known-tokens.ts";
import { newLoginCode } from "../access/login.ts";
import type { Coordinator } from "../coordinator.ts";
import { KnownRunners } from "../runners/known-runners.ts";
import { newApp } from "./app.ts";
import { LongPolls } from "./long-polls.ts";
import type { Gate } from "./mount.ts";
import { operations } from "./operations.ts";
import { DEFAULT_BODY_LIMITS } from "./read-body.ts";
import { listen } from "./server.ts";
import type { Services } from "./services.ts";

export interface HttpOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** 0, the default, for any that is free. */
  readonly port?: number;
  /** Names that the coordinator answers to, besides localhost and the address that a connection came in on. */
  readonly hosts?: readonly string[];
  /** How large a request's body may be. Default: 1 MiB. */
  readonly maxBodyBytes?: number;
  /** How many requests may wait at a time. Default: 5,000. */
  readonly maxWaiting?: number;
  /** How long requests that are under way have when it closes. Default: 5,000. */
  readonly graceMs?: number;
  /** Takes errors that nobody expected, with the id that the client was told. */
  readonly report?: (error: unknown, errorId?: string) => void;
}

export interface ServedHttp {
  readonly url: string;
  loginUrl(): Promise<string>;
  close(): Promise<void>;
}

/** Serves a coordinator's operations over HTTP. */
export async function serveHttp(coordinator: Coordinator, options: HttpOptions): Promise<ServedHttp> {
  const { host = "127.0.0.1", port = 0, hosts = [], graceMs = 5_000 } = options;
  const { database } = coordinator;
  const services: Services = {
    coordinator,
    tokens: new KnownTokens(database),
    runners: new KnownRunners(database),
    polls: new LongPolls(options.maxWaiting ?? 5_000),
  };
  const gate: Gate = {
    tokens: services.tokens,
    checkHost: hostCheck([...hosts, host]),
    bodyLimits: { ...DEFAULT_BODY_LIMITS, bytes: options.maxBodyBytes ?? DEFAULT_BODY_LIMITS.bytes },
    answered: () => undefined,
    report: (error, errorId) => options.report?.(error, errorId),
  };
  const server = await listen(newApp(operations(services), gate), { host, port, graceMs });
  return {
    url: server.url,
    async loginUrl() {
      const { secret } = await newLoginCode(database, "admin", null);
      return `${server.url}/login?code=${secret}`;
    },
    async close() {
      services.polls.close();
      await server.close();
    },
  };
}
