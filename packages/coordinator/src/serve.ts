import { pause } from "@tenterhook/internal";
import { announceAddress, localToken } from "./access/local-token.ts";
import { Coordinator, type CoordinatorOptions } from "./coordinator.ts";
import type { Database } from "./database/database.ts";
import { type DatabaseOptions, openDatabase } from "./database/open-database.ts";
import { isOtherSchema } from "./database/sql-error.ts";
import { DEFAULT_LIMITS } from "./domain/limits.ts";
import { httpHookCalls } from "./hooks/call-http-hook.ts";
import { SigningKeys } from "./hooks/signing-keys.ts";
import { type HttpOptions, serveHttp } from "./http/serve-http.ts";
import { Loop } from "./loop.ts";
import { readPrices } from "./prices.ts";
import { DEFAULT_RETENTION, type Retention, trim } from "./sweeps/retention.ts";
import { readAddressPolicy, type WebhookOptions } from "./webhook/index.ts";

/** The settings of a coordinator. */
export interface ServeOptions extends DatabaseOptions, HttpOptions {
  /** The name of the person who starts it: of the data folder's token, and of the links that it makes. */
  readonly user?: string | undefined;
  readonly limits?: CoordinatorOptions["limits"];
  /** How many URLs of http hooks it calls at a time: `awaited` (128), `unawaited` (64) and `perTarget` (16). */
  readonly calls?: CoordinatorOptions["calls"];
  readonly sweepMs?: number;
  readonly indexRuns?: boolean;
  readonly foldInsights?: boolean | (() => boolean);
  /** How long runs, events and the like are kept. */
  readonly retention?: Partial<Retention>;
  /** What http hooks may use and call. */
  readonly webhooks?: Partial<WebhookOptions>;
}

/** A coordinator that is running. */
export interface ServedCoordinator {
  readonly url: string;
  /** The administrator's token of the data folder. */
  readonly token: string;
  readonly coordinator: Coordinator;
  /** A link that opens the page, once, within a few minutes. */
  loginUrl(): Promise<string>;
  /** Stops listening, lets active requests end, and closes the database. May be called twice. */
  close(): Promise<void>;
}

/** How often old rows are trimmed. */
const TRIM_MS = 60_000;
/** The pause while there are more of them: the database has other work, too. */
const TRIM_AGAIN_MS = 250;

/**
 * Opens the database and serves a coordinator over it.
 *
 *     database ─ coordinator ─ http
 *     and back in the other order when it closes
 */
export async function serveCoordinator(options: ServeOptions): Promise<ServedCoordinator> {
  const { leaseSeconds = DEFAULT_LIMITS.leaseSeconds } = options.limits ?? {};
  const { connectTimeoutMs = 10_000 } = options;
  // Runners must be answered while they still have their leases.
  const reconnectMs = Math.min(connectTimeoutMs, (leaseSeconds * 1_000) / 8);
  const database = await openDatabase({ ...options, reconnectMs });
  try {
    return await serveOver(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function serveOver(database: Database, options: ServeOptions): Promise<ServedCoordinator> {
  const { folder, limits, calls, sweepMs, indexRuns, foldInsights, webhooks = {} } = options;
  const signingKeys = new SigningKeys(database, webhooks.signingKey);
  await signingKeys.prepare();
  const report = reportSchemaOnce(options.report ?? ((error: unknown) => console.error(error)));
  const coordinator = new Coordinator(database, {
    ...httpHookCalls({ variables: {}, ...webhooks }, signingKeys),
    report,
    ...(limits !== undefined && { limits }),
    ...(calls !== undefined && { calls }),
    ...(sweepMs !== undefined && { sweepMs }),
    ...(indexRuns !== undefined && { indexRuns }),
    ...(foldInsights !== undefined && { foldInsights }),
    prices: readPrices(options.prices),
  });
  const { secret: token, maker } = await localToken(database, folder, options.user);
  await coordinator.start();
  const allowsAddress = readAddressPolicy(webhooks.allowPrivate);
  const http = await serveHttp(
    coordinator,
    { maker, signingKeys, allowsAddress },
    { ...options, report },
  ).catch(async (error) => {
    await coordinator.close();
    throw error;
  });
  const retention = { ...DEFAULT_RETENTION, ...options.retention };
  const trimming = new Loop(async (signal) => {
    const isMore = await trim(database, retention);
    await pause(isMore ? TRIM_AGAIN_MS : TRIM_MS, signal);
  }, report);
  const removeAddress = await announceAddress(folder, http.url);
  let closing: Promise<void> | undefined;
  return {
    url: http.url,
    token,
    coordinator,
    loginUrl: http.loginUrl,
    close() {
      closing ??= (async () => {
        await removeAddress();
        await http.close();
        await trimming.stop();
        await coordinator.close();
        await database.close();
      })();
      return closing;
    },
  };
}

type Report = (error: unknown, errorId?: string) => void;

/** Reports once that the tables are not those of this version: every round of every loop fails with it. */
function reportSchemaOnce(report: Report): Report {
  let last: string | undefined;
  return (error, errorId) => {
    if (isOtherSchema(error)) {
      if (error.message === last) return;
      last = error.message;
    }
    report(error, errorId);
  };
}
