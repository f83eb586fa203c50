const last = new Map<string, Promise<unknown>>();

/**
 * Lets those who share a key act one after the other, in the order in which they came. Models ask for several edits of
 * one file at once; each must see what the one before it wrote.
 */
export function inTurn<T>(key: string, act: () => Promise<T>): Promise<T> {
  const mine = (last.get(key) ?? Promise.resolve()).then(act, act);
  last.set(key, mine);
  const leave = (): void => {
    if (last.get(key) === mine) last.delete(key);
  };
  void mine.then(leave, leave);
  return mine;
}
