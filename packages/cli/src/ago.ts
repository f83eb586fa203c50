const UNITS = [
  { ms: 86_400_000, letter: "d" },
  { ms: 3_600_000, letter: "h" },
  { ms: 60_000, letter: "m" },
] as const;

/** The time since a moment: `5s`, `3m`, `2d`. */
export function ago(moment: string, now = Date.now()): string {
  return span(Math.max(0, now - Date.parse(moment)));
}

/** A duration: `5s`, `3m`, `2d`. */
export function span(ms: number): string {
  const unit = UNITS.find((each) => ms >= each.ms);
  return unit === undefined ? `${Math.round(ms / 1_000)}s` : `${Math.floor(ms / unit.ms)}${unit.letter}`;
}
