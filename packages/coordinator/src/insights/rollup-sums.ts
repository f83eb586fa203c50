import { BUCKET_COUNT } from "@tenterhook/protocol/runs";
import { SHORT_SLOT_DAYS, type Step, slotStart, stepMs } from "./slots.ts";

/** What is added to the columns of a row: counts, or counts by bucket. */
export type Sums = Readonly<Record<string, number | readonly number[]>>;
type Keys = Readonly<Record<string, string>>;

/** The sums of one key in one slot. */
interface Group {
  readonly keys: Keys;
  readonly sums: Record<string, number | readonly number[]>;
}

/** The groups of each slot, by when it begins. */
type Slots = Map<number, Map<string, Group>>;

const DAY_MS = 86_400_000;

/**
 * Sums for one table of roll-ups, by slot and key. They are collected in the shortest slots, of which the longer ones are made at the end: a
 * batch has many events, and they are of few slots.
 */
export class RollupSums {
  readonly #slots: Slots = new Map();
  readonly #shortSince: number;

  /** Slots of five minutes are not written for times that are too long ago: they would be removed at once. */
  constructor(nowMs: number) {
    this.#shortSince = slotStart(nowMs - SHORT_SLOT_DAYS * DAY_MS, 15);
  }

  /** Adds to the slots that a time is in. */
  add(timeMs: number, keys: Keys, sums: Sums): void {
    addTo(this.#slots, slotStart(timeMs, this.#shortest(timeMs)), keys, sums);
  }

  /** Adds a time span to the slots that it touches, each its part of it, as `column`. */
  addSpan(fromMs: number, toMs: number, keys: Keys, column: string): void {
    for (let from = fromMs; from < toMs; ) {
      const step = this.#shortest(from);
      const start = slotStart(from, step);
      const to = Math.min(toMs, start + stepMs(step));
      addTo(this.#slots, start, keys, { [column]: to - from });
      from = to;
    }
  }

  /** Adds the sums of another table by some of its keys. `columns` has the names of what is added, here and there. */
  addFrom(other: RollupSums, names: readonly string[], columns: Readonly<Record<string, string>>): void {
    const pairs = Object.entries(columns);
    for (const [start, groups] of other.#slots) {
      for (const { keys, sums } of groups.values()) {
        const known = pairs.filter(([, theirs]) => sums[theirs] !== undefined);
        if (known.length === 0) continue;
        addTo(
          this.#slots,
          start,
          Object.fromEntries(names.map((name) => [name, keys[name] ?? ""])),
          Object.fromEntries(known.map(([ours, theirs]) => [ours, sums[theirs] ?? 0])),
        );
      }
    }
  }

  /** The rows in slots of these lengths as JSON, for `jsonb_to_recordset`. Sorted, so that all writers lock rows in the same order. */
  toJson(steps: readonly Step[]): string {
    return JSON.stringify(steps.flatMap((step) => this.#rows(step)));
  }

  #rows(step: Step): readonly object[] {
    const slots: Slots = new Map();
    for (const [start, groups] of this.#slots) {
      if (step === 5 && start < this.#shortSince) continue;
      for (const { keys, sums } of groups.values()) addTo(slots, slotStart(start, step), keys, sums);
    }
    const rows: object[] = [];
    for (const [start, groups] of [...slots].sort(([a], [b]) => a - b)) {
      const since = new Date(start).toISOString();
      for (const [, { keys, sums }] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
        rows.push({ step, since, ...keys, ...sums });
    }
    return rows;
  }

  #shortest(timeMs: number): Step {
    return timeMs < this.#shortSince ? 15 : 5;
  }
}

function addTo(slots: Slots, start: number, keys: Keys, sums: Sums): void {
  let groups = slots.get(start);
  if (groups === undefined) {
    groups = new Map();
    slots.set(start, groups);
  }
  const key = Object.values(keys).join("\0");
  const group = groups.get(key);
  if (group === undefined) groups.set(key, { keys, sums: { ...sums } });
  else addColumns(group.sums, sums);
}

function addColumns(into: Record<string, number | readonly number[]>, sums: Sums): void {
  for (const [column, added] of Object.entries(sums)) {
    const known = into[column];
    into[column] =
      typeof added === "number"
        ? ((known as number | undefined) ?? 0) + added
        : addBuckets(known as readonly number[] | undefined, added);
  }
}

function addBuckets(known: readonly number[] = [], added: readonly number[]): readonly number[] {
  const length = Math.min(Math.max(known.length, added.length), BUCKET_COUNT);
  return Array.from({ length }, (_, bucket) => (known[bucket] ?? 0) + (added[bucket] ?? 0));
}
