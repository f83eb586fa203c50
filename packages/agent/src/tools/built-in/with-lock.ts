const lastByKey = new Map<string, Promise<unknown>>();

/**
 * Runs functions with the same key one after another, in the order of their calls. Models request several edits of one file in one
 * step, and each must see the result of the one before it.
 */
export function withLock<T>(key: string, run: () => Promise<T>): Promise<T> {
  const current = (lastByKey.get(key) ?? Promise.resolve()).then(run, run);
  lastByKey.set(key, current);
  const cleanUp = (): void => {
    if (lastByKey.get(key) === current) lastByKey.delete(key);
  };
  void current.then(cleanUp, cleanUp);
  return current;
}
