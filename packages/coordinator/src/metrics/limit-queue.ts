import type { HookQueue } from "../lists/hook-queue.ts";
import { OTHER } from "./most-used.ts";

/** The queue with the longest ones by name, and all others together: a store may have any number of named hooks. */
export function limitQueue(queue: readonly HookQueue[], most: number): readonly HookQueue[] {
  if (queue.length <= most) return queue;
  const byLength = [...queue].sort((a, b) => b.count - a.count);
  const others = new Map<string, HookQueue>();
  for (const { kind, hook_type, count, oldest_seconds } of byLength.slice(most)) {
    const key = `${kind} ${hook_type}`;
    const known = others.get(key);
    others.set(key, {
      ...{ kind, hook_type, name: OTHER, count: (known?.count ?? 0) + count },
      oldest_seconds: Math.max(known?.oldest_seconds ?? 0, oldest_seconds),
    });
  }
  return [...byLength.slice(0, most), ...others.values()];
}
