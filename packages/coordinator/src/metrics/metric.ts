/** The labels of one series. */
export type Labels = Readonly<Record<string, string>>;

/** A count that only grows, by labels. */
export class Counter {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, { readonly labels: Labels; count: number }>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  add(labels: Labels = {}, count = 1): void {
    this.series(labels).count += count;
  }

  /** The count of some labels itself, for callers that count often. */
  series(labels: Labels): { count: number } {
    const key = labelText(labels);
    const series = this.#series.get(key) ?? { labels, count: 0 };
    this.#series.set(key, series);
    return series;
  }

  /** Ends all series with this value of a label. */
  remove(label: string, value: string): void {
    removeSeries(this.#series, label, value);
  }

  toString(): string {
    const lines = [...this.#series].map(([key, { count }]) => `${this.#name}${key} ${count}\n`);
    return `# HELP ${this.#name} ${this.#help}\n# TYPE ${this.#name} counter\n${lines.join("")}`;
  }
}

/** A histogram of durations for one set of labels. */
export class DurationSeries {
  readonly bounds: readonly number[];
  /** How many took no longer than the bound at the same index, and longer than the one before. */
  readonly counts: number[];
  count = 0;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = bounds.map(() => 0);
  }

  observe(seconds: number): void {
    this.addTo(
      this.bounds.findIndex((bound) => seconds <= bound),
      1,
    );
    this.sum += seconds;
  }

  /** Adds durations that are up to the bound of an index; -1 for those beyond all bounds. Their sum is added by the caller. */
  addTo(bound: number, count: number): void {
    if (bound !== -1) this.counts[bound] = (this.counts[bound] ?? 0) + count;
    this.count += count;
  }
}

/** Histograms of durations, by labels, in seconds. */
export class Durations {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { readonly labels: Labels; readonly series: DurationSeries }>();

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
  }

  series(labels: Labels): DurationSeries {
    const key = labelText(labels);
    const known = this.#series.get(key) ?? { labels, series: new DurationSeries(this.#bounds) };
    this.#series.set(key, known);
    return known.series;
  }

  /** Ends all series with this value of a label. */
  remove(label: string, value: string): void {
    removeSeries(this.#series, label, value);
  }

  toString(): string {
    let text = `# HELP ${this.#name} ${this.#help}\n# TYPE ${this.#name} histogram\n`;
    for (const { labels, series } of this.#series.values()) {
      let below = 0;
      for (const [index, bound] of this.#bounds.entries()) {
        below += series.counts[index] ?? 0;
        text += `${this.#name}_bucket${labelText({ ...labels, le: String(bound) })} ${below}\n`;
      }
      text += `${this.#name}_bucket${labelText({ ...labels, le: "+Inf" })} ${series.count}\n`;
      text += `${this.#name}_sum${labelText(labels)} ${series.sum}\n`;
      text += `${this.#name}_count${labelText(labels)} ${series.count}\n`;
    }
    return text;
  }
}

function removeSeries(series: Map<string, { readonly labels: Labels }>, label: string, value: string): void {
  for (const [key, { labels }] of series) if (labels[label] === value) series.delete(key);
}

/** Values as they are now. */
export function gauge(
  name: string,
  help: string,
  values: readonly (readonly [labels: Labels, value: number])[],
): string {
  const lines = values.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join("")}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
