import type { Prices } from "@tenterhook/protocol/runs";
import type { KnownTokens } from "../access/known-tokens.ts";
import type { Coordinator } from "../coordinator.ts";
import type { SigningKeys } from "../hooks/signing-keys.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { KnownRunners } from "../runners/known-runners.ts";
import type { Leases } from "../runners/leases.ts";
import type { AddressPolicy } from "../webhook/index.ts";
import type { EventStreams } from "./event-streams.ts";
import type { LongPolls } from "./long-polls.ts";

/** The services that operations use. */
export interface Services {
  readonly coordinator: Coordinator;
  readonly signingKeys: SigningKeys;
  /** Which addresses http hooks may call. */
  readonly allowsAddress: AddressPolicy;
  readonly tokens: KnownTokens;
  readonly runners: KnownRunners;
  readonly leases: Leases;
  readonly polls: LongPolls;
  readonly streams: EventStreams;
  readonly metrics: Metrics;
  readonly prices: Prices;
}
