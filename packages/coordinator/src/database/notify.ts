import type { Statement } from "./database.ts";

/** `notify` inside a transaction: heard when it commits, by nobody when it does not. Values: channel, payload. */
export const NOTIFY: Statement = { name: "notify", text: "select pg_notify($1, $2)" };
