const lastByKey = new Map<string, Promise<unknown>>();

/**
 * Lets those who share a key act one after the other, in the order in which they came. Models ask for several edits of
 * one file at once; each must see what the one before it wrote.
 */
export function withLock<T>(key: string, act: () => Promise<T>): Promise<T> {
  const mine = (lastByKey.get(key) ?? Promise.resolve()).then(act, act);
  lastByKey.set(key, mine);
  const leave = (): void => {
    if (lastByKey.get(key) === mine) lastByKey.delete(key);
  };
  void mine.then(leave, leave);
  return mine;
}
