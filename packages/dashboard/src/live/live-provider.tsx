import { useQueryClient } from "@tanstack/react-query";
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
import { LiveEvents, type LiveState } from "./live-events.ts";
import { liveKeys } from "./live-keys.ts";
import { Staleness } from "./staleness.ts";

const Live = createContext<LiveEvents | undefined>(undefined);

/** Keeps everything that was read in step with what happens. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [live] = useState(() => new LiveEvents());
  useEffect(() => {
    const staleness = new Staleness(client);
    const unlisten = live.listen({
      heard: (events) => staleness.add(events.flatMap(liveKeys)),
      missed: () => void client.invalidateQueries(),
      // Perhaps because whoever looks is no longer logged in.
      refused: () => void client.invalidateQueries(queries.whoAmI()),
    });
    live.open();
    return () => {
      unlisten();
      live.close();
    };
  }, [client, live]);
  return <Live.Provider value={live}>{children}</Live.Provider>;
}

function useLive(): LiveEvents {
  const live = useContext(Live);
  if (live === undefined) throw new Error("there is no LiveProvider around this");
  return live;
}

export function useLiveState(): LiveState {
  const live = useLive();
  return useSyncExternalStore(live.watch, () => live.state);
}

/**
 * Calls back with the events of every moment, as long as the component is there; and when some may have been missed, because
 * the coordinator was away for too long to tell them all.
 */
export function useLiveEvents(heard: (events: readonly RunEvent[]) => void, missed?: () => void): void {
  const live = useLive();
  const latest = useRef({ heard, missed });
  useEffect(() => {
    latest.current = { heard, missed };
  });
  useEffect(
    () =>
      live.listen({
        heard: (events) => latest.current.heard(events),
        missed: () => latest.current.missed?.(),
      }),
    [live],
  );
}
