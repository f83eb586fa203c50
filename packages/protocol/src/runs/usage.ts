import { isKnownEvent, subagentEvent } from "./events/known-event.ts";
import type { RunEvent } from "./events/run-event.ts";
import type { CallUsage } from "./prices.ts";

/** The tokens of all attempts of a run, including lost ones. Undefined when no usage was reported. */
export function usageOf(events: readonly RunEvent[]): CallUsage | undefined {
  const used = events.flatMap((event) =>
    isKnownEvent(event) && event.event_type === "agent_usage" ? [event] : [],
  );
  return totalUsage(used);
}

type Tokens = { readonly [Kind in keyof CallUsage]?: CallUsage[Kind] | undefined };

/** The sum of usages. Undefined when there are none. */
export function totalUsage(used: readonly Tokens[]): CallUsage | undefined {
  if (used.length === 0) return undefined;
  return {
    input_tokens: used.reduce((total, { input_tokens = 0 }) => total + input_tokens, 0),
    output_tokens: used.reduce((total, { output_tokens = 0 }) => total + output_tokens, 0),
  };
}

/** What every model call of a run used, with those of its subagents. */
export function callsOf(events: readonly RunEvent[]): readonly CallUsage[] {
  return events.flatMap((event): readonly CallUsage[] => {
    if (!isKnownEvent(event)) return [];
    if (event.event_type === "subagent") return callsOf([subagentEvent(event)]);
    return event.event_type === "step_end" && event.usage !== undefined ? [event.usage] : [];
  });
}

/** `1,203 tokens in, 88 out` */
export function tokensText({ input_tokens, output_tokens }: CallUsage): string {
  return `${COUNT.format(input_tokens)} ${input_tokens === 1 ? "token" : "tokens"} in, ${COUNT.format(output_tokens)} out`;
}

/** An amount of money, with at least two digits that count. */
export function costText(cost: number, currency: string): string {
  const isSmall = cost < 1;
  const key = `${currency} ${isSmall}`;
  const format = FORMATS.get(key) ?? newFormat(currency, isSmall);
  FORMATS.set(key, format);
  return format.format(cost);
}

// A list has tokens and a cost in each row, and making a format is slow.
const COUNT = new Intl.NumberFormat("en");
/** By currency and size. */
const FORMATS = new Map<string, Intl.NumberFormat>();

function newFormat(currency: string, isSmall: boolean): Intl.NumberFormat {
  return new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    ...(isSmall && { maximumSignificantDigits: 2 }),
  });
}
