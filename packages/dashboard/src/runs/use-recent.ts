import type { RunSummary } from "@tenterhook/protocol/runs";
import { useEffect, useState } from "react";
import { type Since, sinceTime } from "./run-filters.ts";

/** How often a relative period is applied again. */
const EVERY_MS = 10_000;

/** The rows without those that have left the relative period. */
export function useRecent(rows: readonly RunSummary[], since: Since | undefined): readonly RunSummary[] {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (since === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, [since]);
  const from = sinceTime(since, now);
  if (from === undefined) return rows;
  const end = rows.findLastIndex(({ created_at }) => created_at >= from) + 1;
  return end === rows.length ? rows : rows.slice(0, end);
}
