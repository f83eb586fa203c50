import { expect, test } from "vitest";
import { ownField } from "./values.ts";

test.each(["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", ""])(
  "a table has no field %j that it was not given",
  (name) => {
    expect(ownField({ a: 1 }, name)).toBeUndefined();
    expect(ownField(JSON.parse(`{${JSON.stringify(name)}:1}`), name)).toBe(1);
  },
);
