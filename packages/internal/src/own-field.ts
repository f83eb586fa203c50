/** A field of a table by a text from outside. Not what every object inherits: `constructor` and `toString` are in no table. */
export function ownField<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
