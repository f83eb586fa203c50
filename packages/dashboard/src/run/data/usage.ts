import { isKnownEvent, type RunEvent } from "@tenterhook/protocol/runs";

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The tokens of all attempts of a run, including lost ones. Undefined when no usage was reported. */
export function usageOf(events: readonly RunEvent[]): Usage | undefined {
  const used = events.flatMap((event) =>
    isKnownEvent(event) && event.event_type === "agent_usage" ? [event] : [],
  );
  if (used.length === 0) return undefined;
  return {
    inputTokens: used.reduce((total, { input_tokens = 0 }) => total + input_tokens, 0),
    outputTokens: used.reduce((total, { output_tokens = 0 }) => total + output_tokens, 0),
  };
}
