import { z } from "zod";
import { WOULD_HAVE, type WouldHave } from "../would-have.ts";

export const record = z.record(z.string(), z.unknown());

export const time = z.iso.datetime().describe("UTC");

/** What is said of a time in a request that is none. */
export const NOT_A_TIME = "must be a time with its zone, such as 2026-11-15T09:00:00Z";

/** More than any run counts up to, and less than the maximum of the store's columns. */
export const HIGHEST_COUNT = 2_000_000_000;

/** The last number that a client knows, from which a list continues; in a query. */
export const knownNumber = z.coerce.number().int().min(0).max(HIGHEST_COUNT).default(0);

/** The number of the first of several things that a runner reports. */
export const firstNumber = z.int().min(1).max(HIGHEST_COUNT);

/** Where the next page of a list begins. */
export const nextCursor = { next_cursor: z.string().nullable() };

/** What a hook that is not enforced would have done. */
export const wouldHaveDone = z.enum(Object.keys(WOULD_HAVE) as [WouldHave, ...WouldHave[]]);
