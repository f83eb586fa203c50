/** A duration in a suitable unit: `12 ms`, `3.4 s`, `5 min 20 s`, `2 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60];
  if (hours === 0) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  if (hours < 48) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** How long ago something was: `just now`, `12 s ago`, `3 min ago`, `5 h ago`, `2 days ago`. */
export function agoText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}
