import { focusManager, IsRestoringProvider, useQueryClient } from "@tanstack/react-query";
import type { RunEvent } from "@tenterhook/protocol/runs";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { queries } from "../api/queries.ts";
import type { LiveState } from "./event-stream.ts";
import { LiveEvents } from "./live-events.ts";
import { liveKeys, slowLiveKeys } from "./live-keys.ts";
import { QUICK, SLOW, StaleQueries } from "./stale-queries.ts";

const Live = createContext<LiveEvents | undefined>(undefined);

/** Invalidates queries when events change their data. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [live] = useState(() => new LiveEvents());
  useEffect(() => {
    const stale = new StaleQueries((queryKey) => client.invalidateQueries({ queryKey }), QUICK);
    // A tab in the background reads them when it is shown again.
    const slow = new StaleQueries(
      (queryKey) =>
        client.invalidateQueries({ queryKey, refetchType: focusManager.isFocused() ? "active" : "none" }),
      SLOW,
    );
    const unlisten = live.listen({
      onEvents: (events) => {
        stale.add(events.flatMap(liveKeys));
        slow.add(events.flatMap(slowLiveKeys));
      },
      onGap: () => void client.invalidateQueries(),
      // The user may no longer be signed in.
      onRefused: () => void client.invalidateQueries(queries.whoAmI()),
    });
    live.open();
    return () => {
      unlisten();
      live.close();
    };
  }, [client, live]);
  const isConnecting = useSyncExternalStore(live.subscribe, () => live.state) === "connecting";
  return (
    <Live.Provider value={live}>
      {/* No query is read before the stream has begun: a change between the two would be missed. */}
      <IsRestoringProvider value={isConnecting}>{children}</IsRestoringProvider>
    </Live.Provider>
  );
}

function useLive(): LiveEvents {
  const live = useContext(Live);
  if (live === undefined) throw new Error("useLive needs a LiveProvider");
  return live;
}

export function useLiveState(): LiveState {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, () => live.state);
}

/**
 * Calls back with every batch of events while the component is mounted, and when events may have been missed, because the
 * coordinator was unreachable for too long.
 */
export function useLiveEvents(onEvents: (events: readonly RunEvent[]) => void, onGap?: () => void): void {
  const live = useLive();
  const latest = useRef({ onEvents, onGap });
  useEffect(() => {
    latest.current = { onEvents, onGap };
  });
  useEffect(
    () =>
      live.listen({
        onEvents: (events) => latest.current.onEvents(events),
        onGap: () => latest.current.onGap?.(),
      }),
    [live],
  );
}
