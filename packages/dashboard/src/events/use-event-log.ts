import { useEffect, useReducer, useState, useSyncExternalStore } from "react";
import { call } from "../api/call.ts";
import { useLiveEvents, useLiveState } from "../live/live-provider.tsx";
import { EventLog, type LogView } from "./event-log.ts";
import { RunAgents } from "./run-agents.ts";

/** The number of events before the page was opened that are shown. */
const HISTORY = 500;

interface LiveLog {
  readonly log: EventLog;
  readonly view: LogView;
  /** The agent of a run, if known. The function changes when more agents become known. */
  readonly agentOf: (runId: string) => string | undefined;
  readonly isReading: boolean;
  readonly error: unknown;
  readonly reload: () => void;
}

/** The events of the page: a short history, and everything since it was opened. */
export function useEventLog(): LiveLog {
  const [log] = useState(() => new EventLog());
  const [agents] = useState(() => new RunAgents(readAgents));
  const [reading, setReading] = useState<{ readonly isReading: boolean; readonly error?: unknown }>({
    isReading: true,
  });
  // A new name changes which events match a filter.
  const [agentsVersion, bumpAgents] = useReducer((count: number) => count + 1, 0);
  const [attempt, reload] = useReducer((count: number) => count + 1, 0);
  useLiveEvents(
    (events) => {
      log.addLive(events);
      void agents.learn(events).then((isMore) => isMore && bumpAgents());
    },
    () => reload(),
  );
  // Subscribe before reading, so that no event in between is missed.
  const isConnecting = useLiveState() === "connecting";
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reads again
  useEffect(() => {
    if (isConnecting) return;
    const stop = new AbortController();
    const read = async () => {
      const { events } = await call("GET /events/latest", {
        query: { limit: HISTORY },
        signal: stop.signal,
      });
      log.addHistory(events);
      setReading({ isReading: false });
      if (await agents.learn(events)) bumpAgents();
    };
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) setReading({ isReading: false, error });
    });
    return () => stop.abort();
  }, [log, agents, attempt, isConnecting]);
  const view = useSyncExternalStore(log.subscribe, log.view);
  const [agentOf, setAgentOf] = useState(() => agents.of);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more agents are known
  useEffect(() => setAgentOf(() => (runId: string) => agents.of(runId)), [agents, agentsVersion]);
  return { log, view, agentOf, reload, isReading: reading.isReading, error: reading.error };
}

async function readAgents(runIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { runs } = await call("GET /runs", { query: { id: runIds.join(","), limit: runIds.length } });
  return new Map(runs.map(({ run_id, agent_name }) => [run_id, agent_name]));
}
