const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs something that Ctrl-C ends in order: hooks run in process groups of their own, which the terminal does not reach,
 * so they are told through the signal.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => controller.abort("interrupted");
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

/** Resolves when the process is told to end. Told again, it ends at once, unless somebody else listens by then. */
export function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    const heard = () => {
      for (const signal of SIGNALS) process.off(signal, heard);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, heard);
  });
}
