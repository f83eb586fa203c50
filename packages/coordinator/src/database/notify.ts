import type { Statement } from "./database.ts";

/** `notify` inside a transaction: delivered when it commits, and not when it is rolled back. Values: channel, payload. */
export const NOTIFY: Statement = { name: "notify", text: "select pg_notify($1, $2)" };
