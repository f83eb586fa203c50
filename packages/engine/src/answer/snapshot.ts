import { isInstanceOf, setField } from "@tenterhook/internal";

class Given {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: so that `Mark` puts its field into this object
    return value;
  }
}

/**
 * Marks the copies that were made here: they and all that they consist of are frozen, so that another copy of them is not needed. It
 * is a private field of the copy, which nothing else can see or copy. A `WeakSet` would cost more than the copies themselves.
 */
class Mark extends Given {
  readonly #isCopy = true;

  static has(value: object): boolean {
    return #isCopy in value;
  }
}

/**
 * A deep, frozen copy: what hooks see cannot change under them, and nothing they do in place reaches the host or another hook. Plain
 * objects, arrays, dates and errors are copied; functions, instances of other classes and whatever `isShared` accepts are not. A part
 * that is a copy of this kind already is used as it is. It is a loop and not recursive, because a value may be nested to any depth.
 * Throws what reading the value throws.
 */
export function snapshot<T>(value: T, isShared?: (part: object) => boolean): T {
  if (typeof value !== "object" || value === null || Mark.has(value)) return value;
  const copying = new Copying(isShared);
  const copy = copying.copy(value);
  copying.finish();
  return copy as T;
}

/** The copies of one snapshot. */
class Copying {
  readonly #isShared: ((part: object) => boolean) | undefined;
  /** What was copied, and the copy of each at the same index. */
  readonly #values: object[] = [];
  readonly #copies: object[] = [];
  /** The same by value, for more than a few of them. */
  #known: Map<object, object> | undefined;
  #isWhole = true;

  constructor(isShared: ((part: object) => boolean) | undefined) {
    this.#isShared = isShared;
  }

  copy(part: unknown): unknown {
    if (typeof part !== "object" || part === null || Mark.has(part)) return part;
    const known = this.#find(part);
    if (known !== undefined) return known;
    if (this.#isShared?.(part) === true) {
      this.#isWhole = false;
      return part;
    }
    const copy = shallowCopy(part);
    if (copy === undefined) return part;
    this.#values.push(part);
    this.#copies.push(copy);
    this.#known?.set(part, copy);
    return copy;
  }

  /** Copies the parts of the copies, and freezes all of them. */
  finish(): void {
    const values = this.#values;
    const copies = this.#copies;
    // The list grows meanwhile.
    for (let index = 0; index < values.length; index++)
      fill(values[index] as object, copies[index] as object, this);
    for (const copy of copies) {
      // Not if a part is shared that the next copy may not share.
      if (this.#isWhole) new Mark(copy);
      if (!(copy instanceof Date)) Object.freeze(copy);
    }
  }

  #find(part: object): object | undefined {
    if (this.#known !== undefined) return this.#known.get(part);
    const values = this.#values;
    if (values.length < FEW) {
      const index = values.indexOf(part);
      return index < 0 ? undefined : this.#copies[index];
    }
    this.#known = new Map(values.map((value, index) => [value, this.#copies[index] as object]));
    return this.#known.get(part);
  }
}

/** So many are found faster in a list than in a map. */
const FEW = 16;

/** A snapshot of what a hook gave. Errors are used as they are, and so is `shared`. */
export function acceptedValue<T>(value: T, shared?: unknown): T {
  return snapshot(value, (part) => part === shared || isInstanceOf(part, Error));
}

/** Its parts are copied later, by `fill`. `undefined` for what is shared. */
function shallowCopy(value: object): object | undefined {
  if (Array.isArray(value)) return [];
  const prototype: unknown = Object.getPrototypeOf(value);
  // Not a spread: once that is optimised, Node 20 gives every frozen copy a hidden class of its own, and code that reads it is slow.
  if (prototype === Object.prototype) return {};
  if (prototype === null) return Object.create(null) as object;
  if (value instanceof Date) return new Date(value);
  return value instanceof Error ? (Object.create(prototype as object) as object) : undefined;
}

function fill(value: object, copy: object, copying: Copying): void {
  if (Array.isArray(value)) {
    for (const item of value) (copy as unknown[]).push(copying.copy(item));
    return;
  }
  if (value instanceof Date) return;
  if (value instanceof Error) {
    fillError(value, copy, copying);
    return;
  }
  for (const key of Object.keys(value))
    setField(copy, key, copying.copy((value as Record<string, unknown>)[key]));
}

/** An error's message and stack are not enumerable, and belong to the copy all the same. */
function fillError(error: Error, copy: object, copying: Copying): void {
  for (const key of Object.getOwnPropertyNames(error)) {
    const value = copying.copy((error as unknown as Record<string, unknown>)[key]);
    const enumerable = Object.prototype.propertyIsEnumerable.call(error, key);
    Object.defineProperty(copy, key, { value, enumerable });
  }
}
