import type { RunEvent } from "@tenterhook/protocol/runs";
import { numberField } from "../event-fields.ts";

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The tokens of a run, all attempts together: the lost ones cost as much. Undefined when nothing was told. */
export function usageOf(events: readonly RunEvent[]): Usage | undefined {
  const told = events.filter(({ event_type }) => event_type === "agent_usage");
  if (told.length === 0) return undefined;
  const sum = (name: string) => told.reduce((total, event) => total + (numberField(event, name) ?? 0), 0);
  return { inputTokens: sum("input_tokens"), outputTokens: sum("output_tokens") };
}
