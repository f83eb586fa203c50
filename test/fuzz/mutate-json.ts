import fc from "fast-check";
import { oddJson, oddText } from "./odd-values.ts";

/** One change to a JSON value. `at` is the position: it counts the value's parts. */
export interface Mutation {
  readonly kind: "replace" | "remove" | "add" | "wrap" | "list" | "rename";
  readonly at: number;
  readonly key: string;
  readonly value: unknown;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("replace", "replace", "replace", "remove", "add", "wrap", "list", "rename"),
  at: fc.nat(40),
  key: fc.oneof(fc.constantFrom("__proto__", "constructor", "length", "type", "id", "0"), oddText),
  value: oddJson,
});

/** A value with some changes to its parts. The value itself stays as it is. */
export function mutated(value: unknown, mutations: readonly Mutation[]): unknown {
  const root = { value: structuredClone(value) };
  for (const each of mutations) change(root, { ...each, value: structuredClone(each.value) });
  return root.value;
}

interface Part {
  readonly holder: object;
  readonly key: string;
}

function change(root: object, { kind, at, key, value }: Mutation): void {
  const parts = partsOf(root);
  const part = parts[at % parts.length];
  if (part === undefined) return;
  const { holder } = part;
  const now: unknown = Reflect.get(holder, part.key);
  if (kind === "remove" || kind === "rename") Reflect.deleteProperty(holder, part.key);
  if (kind === "replace") put(holder, part.key, value);
  else if (kind === "add") put(typeof now === "object" && now !== null ? now : holder, key, value);
  else if (kind === "wrap") put(holder, part.key, { [key]: now });
  else if (kind === "list") put(holder, part.key, [now, now]);
  else if (kind === "rename") put(holder, part.key.toUpperCase(), now);
}

/** As an own property, whatever its name. A list is given one more item, unless the key is one of its indexes. */
function put(holder: object, key: string, value: unknown): void {
  if (Array.isArray(holder) && !Object.keys(holder).includes(key)) holder.push(value);
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function partsOf(root: object): Part[] {
  const parts: Part[] = [];
  const open: object[] = [root];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      parts.push({ holder, key });
      const below: unknown = Reflect.get(holder, key);
      if (typeof below === "object" && below !== null) open.push(below);
    }
  }
  return parts;
}
