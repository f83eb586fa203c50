import type { Virtualizer } from "@tanstack/react-virtual";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** So near to the end is the end. */
const NEAR_PX = 24;

/**
 * Keeps a list at its newest row until somebody scrolls up; from then on, what they look at stays where it is although rows
 * above it are let go of.
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
  // Whoever follows is at the end, whatever the rows above it turn out to measure.
  rows.shouldAdjustScrollPositionOnItemSizeChange = isFollowing ? () => false : undefined;

  useEffect(() => {
    if (scroller === null) return;
    const scrolled = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      const isAtEnd = scrollHeight - clientHeight - scrollTop <= NEAR_PX;
      // New rows only make it longer: whoever is higher than before has scrolled.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that were measured make the list longer, too
  useLayoutEffect(() => {
    if (isFollowing && scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  }, [isFollowing, scroller, events, size]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when rows came or went
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
