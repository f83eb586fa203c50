/** How many processes at once: each keeps one core busy, and a small machine has two. */
const AT_ONCE = 2;

/** Works on items in their order, a few at once. After an error no other item is begun, and it rejects when what had begun has ended. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const errors: unknown[] = [];
  const next = async () => {
    for (const item of queue) {
      if (errors.length > 0) return;
      await work(item).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  if (errors.length > 0) throw errors[0];
}
