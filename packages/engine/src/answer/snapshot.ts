import { isInstanceOf } from "@tenterhook/internal";

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
  if (prototype === Object.prototype) return copyFields(value);
  if (prototype === null) return Object.create(null) as object;
  if (value instanceof Date) return new Date(value);
  return value instanceof Error ? (Object.create(prototype as object) as object) : undefined;
}

/** A spread keeps the shape of the object, which takes a fraction of writing each field, but copies symbols too. */
function copyFields(value: object): object {
  return Object.getOwnPropertySymbols(value).length === 0
    ? { ...value }
    : Object.fromEntries(Object.entries(value));
}

function fill(value: object, copy: object, copying: Copying): void {
  if (Array.isArray(value)) {
    for (const item of value) (copy as unknown[]).push(copying.copy(item));
    return;
  }
  if (Object.getPrototypeOf(copy) === Object.prototype) {
    fillFields(copy as Record<string, unknown>, copying);
    return;
  }
  if (value instanceof Date) return;
  const isError = value instanceof Error;
  // An error's message and stack are not enumerable, and belong to the copy all the same.
  for (const key of isError ? Object.getOwnPropertyNames(value) : Object.keys(value)) {
    const part = copying.copy((value as Record<string, unknown>)[key]);
    // Defined, where an assignment would do something else.
    if (isError || key === "__proto__") {
      const enumerable = Object.prototype.propertyIsEnumerable.call(value, key);
      Object.defineProperty(copy, key, { value: part, enumerable });
    } else (copy as Record<string, unknown>)[key] = part;
  }
}

/** Copies the parts of an object that has all its fields already. */
function fillFields(copy: Record<string, unknown>, copying: Copying): void {
  for (const key of Object.keys(copy)) {
    const field = copy[key];
    if (typeof field !== "object" || field === null) continue;
    const part = copying.copy(field);
    if (part === field) continue;
    // Defined, where an assignment would do something else.
    if (key === "__proto__")
      Object.defineProperty(copy, key, { value: part, enumerable: true, writable: true, configurable: true });
    else copy[key] = part;
  }
}
