import type { Statement } from "../database.ts";
import type { Reply } from "../decode.ts";
import type { Text } from "../parameters.ts";
import type { SqlErrorFields } from "../sql-error.ts";

/** The data that the database's thread is started with. */
export interface WorkerStart {
  readonly folder: string;
}

/** To the thread. Statements are executed one after the other, in the order in which they were sent. */
export type ToWorker =
  | {
      readonly type: "statement";
      readonly id: number;
      readonly statement: Statement;
      readonly values: readonly Text[];
    }
  | { readonly type: "close" };

/** From the thread. */
export type FromWorker =
  | { readonly type: "ready" }
  | { readonly type: "reply"; readonly id: number; readonly reply: Reply }
  | { readonly type: "refused"; readonly id: number; readonly error: SqlErrorFields }
  /** The engine cannot continue; the thread ends. */
  | { readonly type: "panic"; readonly reason: string }
  | { readonly type: "notice"; readonly channel: string; readonly payload: string };
