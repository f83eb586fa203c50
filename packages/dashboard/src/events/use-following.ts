import type { Virtualizer } from "@tanstack/react-virtual";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** Within this distance, the list counts as scrolled to the end. */
const NEAR_PX = 24;

/**
 * Keeps a list at its newest row until the user scrolls up. From then on the visible rows stay in place, even when rows above
 * them are dropped.
 */
export function useFollowing(
  rows: Virtualizer<HTMLDivElement, Element>,
  events: readonly RunEvent[],
  scroller: HTMLDivElement | null,
): { readonly isFollowing: boolean; readonly jump: () => void } {
  const [isFollowing, setIsFollowing] = useState(true);
  const lastTop = useRef(0);
  const anchor = useRef<{ readonly id: string; readonly offset: number }>(undefined);
  const size = rows.getTotalSize();
  // While following, the list is at its end, whatever the heights of the rows above.
  rows.shouldAdjustScrollPositionOnItemSizeChange = isFollowing ? () => false : undefined;

  useEffect(() => {
    if (scroller === null) return;
    const scrolled = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      const isAtEnd = scrollHeight - clientHeight - scrollTop <= NEAR_PX;
      // New rows only make the list longer, so a smaller offset means that the user scrolled up.
      if (isAtEnd) setIsFollowing(true);
      else if (scrollTop < lastTop.current) setIsFollowing(false);
      lastTop.current = scrollTop;
      const first = rows.getVirtualItemForOffset(scrollTop);
      anchor.current =
        first === undefined ? undefined : { id: String(first.key), offset: scrollTop - first.start };
    };
    scroller.addEventListener("scroll", scrolled, { passive: true });
    return () => scroller.removeEventListener("scroll", scrolled);
  }, [rows, scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: measuring rows changes the length of the list as well
  useLayoutEffect(() => {
    if (isFollowing && scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  }, [isFollowing, scroller, events, size]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when rows were added or removed
  useLayoutEffect(() => {
    const kept = anchor.current;
    if (isFollowing || kept === undefined) return;
    const index = events.findIndex(({ id }) => id === kept.id);
    const start = index < 0 ? undefined : rows.getOffsetForIndex(index, "start")?.[0];
    if (start !== undefined && Math.abs(start + kept.offset - lastTop.current) > 1) {
      lastTop.current = start + kept.offset;
      rows.scrollToOffset(start + kept.offset);
    }
  }, [events]);

  return { isFollowing, jump: () => setIsFollowing(true) };
}
