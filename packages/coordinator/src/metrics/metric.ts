/** The labels of one series. */
export type Labels = Readonly<Record<string, string>>;

/** A count that only grows, by labels. */
export class Counter {
  readonly #head: string;
  readonly #name: string;
  readonly #values = new Map<string, number>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#head = `# HELP ${name} ${help}\n# TYPE ${name} counter\n`;
  }

  add(labels: Labels = {}, by = 1): void {
    const key = labelText(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }

  toString(): string {
    return this.#head + [...this.#values].map(([key, value]) => `${this.#name}${key} ${value}\n`).join("");
  }
}

/** How long things take, by labels, in seconds. */
export class Durations {
  readonly #name: string;
  readonly #head: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#head = `# HELP ${name} ${help}\n# TYPE ${name} histogram\n`;
    this.#bounds = bounds;
  }

  observe(seconds: number, labels: Labels = {}): void {
    const key = labelText(labels);
    const series = this.#series.get(key) ?? { labels, counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
    this.#series.set(key, series);
    const bucket = this.#bounds.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
    series.count += 1;
  }

  toString(): string {
    let text = this.#head;
    for (const { labels, counts, sum, count } of this.#series.values()) {
      let below = 0;
      for (const [index, bound] of this.#bounds.entries()) {
        below += counts[index] ?? 0;
        text += `${this.#name}_bucket${labelText({ ...labels, le: String(bound) })} ${below}\n`;
      }
      text += `${this.#name}_bucket${labelText({ ...labels, le: "+Inf" })} ${count}\n`;
      text += `${this.#name}_sum${labelText(labels)} ${sum}\n`;
      text += `${this.#name}_count${labelText(labels)} ${count}\n`;
    }
    return text;
  }
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
