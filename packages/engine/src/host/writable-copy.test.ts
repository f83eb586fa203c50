import { expect, test } from "vitest";
import { writableCopy } from "./writable-copy.ts";

test("copies plain objects, lists and dates, which may be written to, and shares all else", () => {
  const read = () => "text";
  const url = new URL("https://example.org");
  const given = Object.freeze({
    list: Object.freeze([Object.freeze({ a: 1 })]),
    bare: Object.freeze(Object.assign(Object.create(null), { b: 2 })),
    date: new Date(0),
    url,
    read,
  });
  const copy = writableCopy<unknown>(given) as { list: { a: number }[]; date: Date };
  expect(copy).toEqual(given);
  copy.list.push({ a: 2 });
  (copy.list[0] as { a: number }).a = 3;
  copy.date.setTime(1);
  expect(given.list).toEqual([{ a: 1 }]);
  expect(given.date.getTime()).toBe(0);
  expect(copy).toMatchObject({ url, read });
});

test("copies a cycle, one object that is there twice, and lists that are nested 20,000 levels deep", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const copied = writableCopy(cycle);
  expect(copied.self).toBe(copied);
  const part = Object.freeze({});
  const { one, other } = writableCopy({ one: part, other: part });
  expect(one).toBe(other);
  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level++) deep = [deep];
  let copy: unknown = writableCopy(deep);
  let levels = 0;
  for (; Array.isArray(copy); levels++) copy = copy[0];
  expect([levels, copy]).toEqual([20_000, 1]);
});

test("a field named __proto__ stays a field", () => {
  const copy = writableCopy(JSON.parse('{"__proto__":{"isAdmin":true}}') as { isAdmin?: boolean });
  expect(copy.isAdmin).toBeUndefined();
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"isAdmin":true}}');
});
