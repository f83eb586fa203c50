const emitted = new Set<string>();

/** Emits a warning of the process, each text once. */
export function warnOnce(message: string): void {
  if (emitted.has(message)) return;
  emitted.add(message);
  process.emitWarning(message, "TenterhookWarning");
}
