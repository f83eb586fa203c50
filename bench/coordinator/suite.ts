import type { Suite } from "../measure.ts";
import { claimAmongMany, cyclesEmbedded, cyclesOnDurablePostgres, cyclesOnPostgres } from "./cycles.ts";
import { firstStart } from "./first-start.ts";
import { followers } from "./followers.ts";
import { indexingEmbedded, indexingOnPostgres } from "./indexing.ts";
import { listsEmbedded, listsOnPostgres } from "./lists.ts";
import { silentCallsEmbedded, silentCallsOnPostgres } from "./silent-calls.ts";
import { waitingEmbedded, waitingOnPostgres } from "./waiting.ts";
import { wakeUp } from "./wake-up.ts";

/** What the coordinator costs, against what its database can do without it. */
export const coordinatorSuite: Suite = {
  cyclesOnPostgres,
  cyclesOnDurablePostgres,
  cyclesEmbedded,
  wakeUp,
  followers,
  firstStart,
  claimAmongMany,
  indexingOnPostgres,
  indexingEmbedded,
  waitingOnPostgres,
  waitingEmbedded,
  silentCallsOnPostgres,
  silentCallsEmbedded,
  listsOnPostgres,
  listsEmbedded,
};
