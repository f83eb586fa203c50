const COUNT = new Intl.NumberFormat("en");

/** `4,310` */
export function formatCount(number: number): string {
  return COUNT.format(number);
}

/** An estimated duration, with as many digits as it is worth: `19 ms`, `1.3 s`, `4 min`. */
export function formatEstimate(ms: number): string {
  const rounded = Number(ms.toPrecision(2));
  if (rounded < 1_000) return `${rounded} ms`;
  if (rounded < 120_000) return `${rounded / 1_000} s`;
  return `${formatCount(Math.round(ms / 60_000))} min`;
}
