import { useCallback, useState } from "react";

/** A set of ids, and a function that adds or removes one. */
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
