import { useCallback, useState } from "react";

/** A set of ids that are on, and how to switch one. */
export function useToggles(): readonly [ReadonlySet<string>, (id: string) => void] {
  const [on, setOn] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setOn((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  return [on, toggle];
}
