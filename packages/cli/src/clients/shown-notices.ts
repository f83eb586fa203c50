import type { Client } from "@tenterhook/bridges";
import { noticeAdvice } from "@tenterhook/bridges/install";
import { dim, oneLine } from "../terminal.ts";
import type { HeldHook } from "./shown-holdings.ts";

/** Where a client's person may not see that a hook failed, for the hooks that let calls pass then. */
export function shownNotices(client: Client, held: readonly HeldHook[]): readonly string[] {
  const advice = noticeAdvice(client);
  const names = held.filter(({ passesOnError }) => passesOnError).map(({ name }) => oneLine(name));
  return advice === undefined || names.length === 0
    ? []
    : [dim(`${advice} It is not in: ${names.join(", ")}`)];
}
