import { expect, test } from "vitest";
import { allOf, composed, joined, sql, verbatim } from "./fragment.ts";

test("values become parameters in the order of the text, however deep their fragments are nested", () => {
  const ids = joined(
    ["a", "b"].map((id) => sql`${id}`),
    ", ",
  );
  const inner = sql`kind = ${"client"} AND id IN (${ids})`;
  expect(composed(sql`SELECT ${verbatim("id")} FROM runs WHERE ${inner} LIMIT ${3}`)).toEqual({
    text: "SELECT id FROM runs WHERE kind = $1 AND id IN ($2, $3) LIMIT $4",
    values: ["client", "a", "b", 3],
  });
});

test("text of a value never becomes SQL", () => {
  const { text, values } = composed(sql`SELECT ${"'; DROP TABLE runs; --"}, ${null}, ${undefined}`);
  expect(text).toBe("SELECT $1, $2, $3");
  expect(values).toEqual(["'; DROP TABLE runs; --", null, undefined]);
});

test("conditions that are not given are left out, and no condition is true", () => {
  expect(composed(allOf([undefined, sql`a = ${1}`, undefined, sql`b = ${2}`])).text).toBe(
    "a = $1 AND b = $2",
  );
  expect(composed(allOf([undefined])).text).toBe("true");
});
