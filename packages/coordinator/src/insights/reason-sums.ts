import { shortened } from "@tenterhook/internal";
import { REASONS, stepsOf } from "./rollup-tables.ts";
import { SHORT_SLOT_DAYS, slotStart } from "./slots.ts";

/** So many reasons of a hook with one agent are counted separately in a slot; the others are counted together. */
export const MAX_REASONS = 20;
const MAX_REASON_LENGTH = 300;
/** Runs that a reason has as examples in a slot. */
export const MAX_EXAMPLES = 2;
const DAY_MS = 86_400_000;

interface ReasonKeys {
  readonly hook: string;
  readonly kind: string;
  readonly event: string;
  readonly agent: string;
  readonly outcome: string;
}

export interface ReasonRow extends ReasonKeys {
  readonly step: number;
  readonly since: string;
  readonly reason: string;
  readonly count: number;
  readonly examples: readonly string[];
}

/** What is stored of a group. */
export interface StoredReasons {
  /** Counts the groups from 0. */
  readonly group: number;
  /** How many reasons are stored. */
  readonly count: number;
  /** Those of the batch among them. */
  readonly present: readonly string[];
}

interface Group {
  readonly step: number;
  readonly since: string;
  readonly keys: ReasonKeys;
  readonly reasons: Map<string, { count: number; examples: string[] }>;
}

/** The reasons of a batch. */
export class ReasonSums {
  readonly #groups = new Map<string, Group>();
  readonly #shortSince: number;

  constructor(nowMs: number) {
    this.#shortSince = nowMs - SHORT_SLOT_DAYS * DAY_MS;
  }

  add(timeMs: number, keys: ReasonKeys, reason: string, runId: string | null): void {
    const text = shortened(reason, MAX_REASON_LENGTH) || "no reason given";
    for (const step of stepsOf(REASONS)) {
      if (step === 5 && timeMs < this.#shortSince) continue;
      const since = new Date(slotStart(timeMs, step)).toISOString();
      const key = groupKey({ step, since, ...keys });
      const group = this.#groups.get(key) ?? { step, since, keys, reasons: new Map() };
      this.#groups.set(key, group);
      count(group.reasons, text, 1, runId === null ? [] : [runId]);
    }
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** The groups with their reasons, for reading which of these are stored already. */
  get groups(): readonly object[] {
    return Array.from(this.#groups.values(), ({ step, since, keys, reasons }, group) => ({
      ...{ group, step, since, ...keys },
      reasons: [...reasons.keys()],
    }));
  }

  /** The rows to write. New reasons beyond the limit of a group go under `""`. */
  rows(stored: readonly StoredReasons[]): readonly ReasonRow[] {
    const known = new Map(stored.map((row) => [row.group, row]));
    return [...this.#groups.values()].flatMap(({ step, since, keys, reasons }, group) => {
      const { count: size = 0, present = [] } = known.get(group) ?? {};
      const isStored = new Set(present);
      let left = MAX_REASONS - size;
      const counted = new Map<string, { count: number; examples: string[] }>();
      for (const [reason, { count: times, examples }] of reasons) {
        const fits = isStored.has(reason) || left-- > 0;
        count(counted, fits ? reason : "", times, examples);
      }
      return Array.from(counted, ([reason, sums]) => ({ step, since, ...keys, reason, ...sums }));
    });
  }
}

function groupKey({
  step,
  since,
  hook,
  kind,
  event,
  agent,
  outcome,
}: ReasonKeys & Pick<Group, "step" | "since">): string {
  return [step, since, hook, kind, event, agent, outcome].join("\0");
}

function count(
  into: Map<string, { count: number; examples: string[] }>,
  reason: string,
  times: number,
  examples: readonly string[],
): void {
  const sums = into.get(reason) ?? { count: 0, examples: [] };
  into.set(reason, sums);
  sums.count += times;
  for (const runId of examples)
    if (sums.examples.length < MAX_EXAMPLES && !sums.examples.includes(runId)) sums.examples.push(runId);
}
