import type { Location, Validation } from "./validation.ts";

/** A part of the check of a value. `seen` takes what was evaluated, when an enclosing schema needs that. */
export type Check = (
  value: unknown,
  location: Location | undefined,
  validation: Validation,
  seen: Seen | undefined,
) => boolean;

/** A schema that was read: its keywords as checks. */
export interface SchemaNode {
  checks: readonly Check[];
  /** Of the schema with the `$id` that it belongs to. */
  readonly resource: Resource;
}

/** A schema with an address of its own, as far as references need to know it. */
export interface Resource {
  readonly uri: string;
  readonly schema: unknown;
  readonly dynamicAnchors: Map<string, SchemaNode>;
}

/** Which properties and items of one value were evaluated by some keyword: what `unevaluated…` ignores. */
export class Seen {
  // Made when they are needed: every value gets one of these, and most are neither object nor array.
  #properties: Set<string> | undefined;
  #items: Set<number> | undefined;

  get size(): number {
    return (this.#properties?.size ?? 0) + (this.#items?.size ?? 0);
  }

  hasProperty(name: string): boolean {
    return this.#properties?.has(name) === true;
  }

  hasItem(index: number): boolean {
    return this.#items?.has(index) === true;
  }

  addProperty(name: string): void {
    this.#properties ??= new Set();
    this.#properties.add(name);
  }

  addItem(index: number): void {
    this.#items ??= new Set();
    this.#items.add(index);
  }

  add(other: Seen): void {
    for (const name of other.#properties ?? []) this.addProperty(name);
    for (const index of other.#items ?? []) this.addItem(index);
  }
}

/** Whether a value fits a schema; what does not fit is recorded in the validation. */
export function evaluate(
  { checks, resource }: SchemaNode,
  value: unknown,
  location: Location | undefined,
  validation: Validation,
  seen: Seen | undefined,
): boolean {
  validation.spend(checks.length + 1);
  if (checks.length === 0) return true;
  validation.enter();
  const isEntered = validation.resources.at(-1) !== resource;
  if (isEntered) validation.resources.push(resource);
  // What a schema has seen counts for those around it only when the value fits it.
  const own = seen === undefined ? undefined : new Seen();
  let fits = true;
  for (const check of checks) {
    if (check(value, location, validation, own)) continue;
    fits = false;
    if (validation.isEnough) break;
  }
  if (fits && own !== undefined) {
    validation.spend(own.size * 4);
    seen?.add(own);
  }
  if (isEntered) validation.resources.pop();
  validation.leave();
  return fits;
}
