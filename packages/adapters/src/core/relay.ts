/** Passes an event of a generator on to the reader of another one; rejects with what the reader threw into it. */
export type Emit<E> = (event: E) => Promise<void>;

/** The reader left, or the function that emits has ended. */
class ReaderLeft extends Error {
  override readonly name = "ReaderLeft";

  constructor() {
    super("the reader of the stream left");
  }
}

interface Waiting<E> {
  readonly event: E;
  taken(): void;
  refused(error: unknown): void;
}

/**
 * Runs an async function as a generator: what it emits is yielded, what it returns is returned. The function waits at each event
 * until the reader has taken it. When the reader leaves, `emit` rejects, and the function is waited for.
 */
export async function* relay<E, T>(run: (emit: Emit<E>) => Promise<T>): AsyncGenerator<E, T, undefined> {
  // More than one, where a wrapper calls `next` again before the first call has ended.
  const waiting: Waiting<E>[] = [];
  let isEnded = false;
  let wake: () => void = () => undefined;
  const emit: Emit<E> = (event) =>
    isEnded
      ? Promise.reject(new ReaderLeft())
      : new Promise((taken, refused) => {
          waiting.push({ event, taken, refused });
          wake();
        });
  const close = () => {
    isEnded = true;
    for (const { refused } of waiting.splice(0)) refused(new ReaderLeft());
    wake();
  };
  const end = run(emit).finally(close);
  // Reported where it is awaited, below.
  end.catch(() => undefined);
  for (;;) {
    if (waiting.length === 0 && !isEnded) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const next = waiting.shift();
    if (next === undefined) return await end;
    const { event, taken, refused } = next;
    let hasLeft = true;
    try {
      yield event;
      hasLeft = false;
      taken();
    } catch (error) {
      hasLeft = false;
      refused(error);
    } finally {
      if (hasLeft) {
        refused(new ReaderLeft());
        close();
        await end.catch(() => undefined);
      }
    }
  }
}

/** Reads a generator to its end, passing its events on. What the reader throws into an event is thrown into the generator. */
export async function drain<E, T>(events: AsyncGenerator<E, T, undefined>, emit: Emit<E>): Promise<T> {
  let next = await events.next();
  while (!next.done) {
    try {
      await emit(next.value);
    } catch (error) {
      if (error instanceof ReaderLeft) {
        // The value is not read: the generator ends here.
        await events.return(undefined as never);
        throw error;
      }
      next = await events.throw(error);
      continue;
    }
    next = await events.next();
  }
  return next.value;
}
