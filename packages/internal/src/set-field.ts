/** Sets a field of a plain object, whatever its name is: a model may well name one `__proto__`, and to assign that sets the prototype. */
export function setField(target: object, key: string, value: unknown): void {
  if (key !== "__proto__") (target as Record<string, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
