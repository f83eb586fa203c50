import type { prices } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { AnonymousLimit, type AnonymousRate, DEFAULT_ANONYMOUS_RATE } from "../access/anonymous-limit.ts";
import { clientAddress } from "../access/client-address.ts";
import { hostCheck } from "../access/host.ts";
import { KnownTokens } from "../access/known-tokens.ts";
import { newSignInCode } from "../access/sign-in.ts";
import type { Maker } from "../access/tokens.ts";
import type { Coordinator } from "../coordinator.ts";
import { Metrics } from "../metrics/metrics.ts";
import { readPrices } from "../prices.ts";
import { KnownRunners } from "../runners/known-runners.ts";
import { Leases } from "../runners/leases.ts";
import { newApp } from "./app.ts";
import { EventStreams } from "./event-streams.ts";
import { LongPolls } from "./long-polls.ts";
import { operations } from "./operations.ts";
import { Page } from "./page/page.ts";
import { DEFAULT_BODY_LIMITS } from "./read-body.ts";
import type { Gate } from "./respond.ts";
import { listen } from "./server.ts";
import type { Services } from "./services.ts";

/** Where a coordinator listens, and what it serves. */
export interface HttpOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** 0, the default, for any that is free. */
  readonly port?: number | undefined;
  /** Names that the coordinator answers to, besides localhost and the address that a connection came in on. */
  readonly hosts?: readonly string[] | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For counts. Default: none. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** How many requests without a known token an address may send. Default: 500 at once, 50 a second after that. */
  readonly anonymousRate?: AnonymousRate | undefined;
  /** A folder with the dashboard: `index.html` and its files. Default: a plain page. */
  readonly page?: string | undefined;
  /** What models cost, by their ids. Default: no prices. */
  readonly prices?: z.input<typeof prices> | undefined;
  /** How large a request's body may be. Default: 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** How many requests may wait at a time. Default: 5,000. */
  readonly maxWaiting?: number | undefined;
  /** How many clients may follow the events. Default: 5,000. */
  readonly maxSubscribers?: number | undefined;
  /** How long active requests may take when it closes. Default: 5,000. */
  readonly graceMs?: number | undefined;
  /** Receives unexpected errors, with the id that the client got. Default: the console. */
  readonly report?: ((error: unknown, errorId?: string) => void) | undefined;
}

export interface ServedHttp {
  readonly url: string;
  loginUrl(): Promise<string>;
  close(): Promise<void>;
}

/** What a coordinator was configured with, besides the options of HTTP. */
interface HttpServices extends Pick<Services, "signingKeys" | "allowsAddress"> {
  readonly maker: Maker & { readonly name: string };
}

/** Serves a coordinator's operations, and a page, over HTTP. The coordinator has been started; `maker` makes its links. */
export async function serveHttp(
  coordinator: Coordinator,
  { maker, ...configured }: HttpServices,
  options: HttpOptions,
): Promise<ServedHttp> {
  const { host = "127.0.0.1", port = 0, hosts = [], graceMs = 5_000 } = options;
  const { database, feed } = coordinator;
  const page = await Page.open(options.page);
  const tokens = new KnownTokens(database);
  const runners = new KnownRunners(database);
  const prices = readPrices(options.prices);
  const services: Services = {
    coordinator,
    ...configured,
    tokens,
    runners,
    leases: new Leases(database, runners),
    polls: new LongPolls(tokens, options.maxWaiting ?? 5_000),
    streams: new EventStreams(feed, options.maxSubscribers ?? 5_000),
    metrics: new Metrics(prices),
    prices,
  };
  const { polls, streams, metrics } = services;
  const unlisten = metrics.listen(feed, coordinator.failures);
  const addressOf = clientAddress(options.trustedProxies ?? []);
  const gate: Gate = {
    tokens,
    anonymous: new AnonymousLimit(tokens, addressOf, options.anonymousRate ?? DEFAULT_ANONYMOUS_RATE),
    checkHost: hostCheck(host === "0.0.0.0" || host === "::" ? hosts : [...hosts, host]),
    bodyLimits: { ...DEFAULT_BODY_LIMITS, bytes: options.maxBodyBytes ?? DEFAULT_BODY_LIMITS.bytes },
    answered: (route, method, status, ms) => metrics.answered(route, method, status, ms),
    report: options.report ?? ((error, errorId) => console.error(errorId, error)),
  };
  const server = await listen(newApp(operations(services), page, gate), { host, port, graceMs });
  return {
    url: server.url,
    async loginUrl() {
      const { secret } = await newSignInCode(database, maker, { name: maker.name });
      return `${server.url}/login?code=${secret}`;
    },
    async close() {
      const closed = server.close();
      polls.close();
      streams.close();
      await closed;
      tokens.close();
      unlisten();
    },
  };
}
