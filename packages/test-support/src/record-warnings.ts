import { onTestFinished } from "vitest";

/** The warnings of this process until the test ends. They are recorded instead of printed. */
export function recordWarnings(): readonly Error[] {
  const recorded: Error[] = [];
  const printers = process.listeners("warning");
  const record = (warning: Error) => void recorded.push(warning);
  process.removeAllListeners("warning");
  process.on("warning", record);
  onTestFinished(async () => {
    // A warning is emitted on the next tick.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", record);
    for (const printer of printers) process.on("warning", printer);
  });
  return recorded;
}
