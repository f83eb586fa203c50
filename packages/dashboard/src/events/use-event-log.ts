import { useEffect, useReducer, useState, useSyncExternalStore } from "react";
import { call } from "../api/call.ts";
import { useLiveEvents } from "../live/live-provider.tsx";
import { EventLog, type LogView } from "./event-log.ts";
import { RunAgents } from "./run-agents.ts";

/** What is shown of what was before the page was opened. */
const HISTORY = 500;

interface Followed {
  readonly log: EventLog;
  readonly view: LogView;
  /** Whose run it is, as far as that is known; another function when more has become known. */
  readonly agentOf: (runId: string) => string | undefined;
  readonly isReading: boolean;
  readonly error: unknown;
  readonly readAgain: () => void;
}

/** The events that are kept for the page, from a little before it was opened. */
export function useEventLog(): Followed {
  const [log] = useState(() => new EventLog());
  const [agents] = useState(() => new RunAgents(readAgents));
  const [reading, setReading] = useState<{ readonly isReading: boolean; readonly error?: unknown }>({
    isReading: true,
  });
  // That a name has become known changes which events a filter lets through.
  const [knowledge, grow] = useReducer((count: number) => count + 1, 0);
  const [attempt, readAgain] = useReducer((count: number) => count + 1, 0);
  useLiveEvents(
    (events) => {
      log.hear(events);
      void agents.learn(events).then((isMore) => isMore && grow());
    },
    () => readAgain(),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reads again
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      const { events } = await call("GET /events/latest", {
        query: { limit: HISTORY },
        signal: stop.signal,
      });
      log.recall(events);
      setReading({ isReading: false });
      if (await agents.learn(events)) grow();
    };
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) setReading({ isReading: false, error });
    });
    return () => stop.abort();
  }, [log, agents, attempt]);
  const view = useSyncExternalStore(log.watch, log.view);
  const [agentOf, setAgentOf] = useState(() => agents.of);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known has grown
  useEffect(() => setAgentOf(() => (runId: string) => agents.of(runId)), [agents, knowledge]);
  return { log, view, agentOf, readAgain, isReading: reading.isReading, error: reading.error };
}

async function readAgents(runIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { runs } = await call("GET /runs", { query: { id: runIds.join(","), limit: runIds.length } });
  return new Map(runs.map(({ run_id, agent_name }) => [run_id, agent_name]));
}
