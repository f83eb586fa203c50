import type { InsightRange } from "@tenterhook/protocol/runs";
import { useRef } from "react";

/** The period that the shown numbers are of: those of the last one stay until the new ones are here. */
export function useLoadedRange(chosen: InsightRange, isPlaceholderData: boolean): InsightRange {
  const loaded = useRef(chosen);
  if (!isPlaceholderData) loaded.current = chosen;
  return loaded.current;
}
