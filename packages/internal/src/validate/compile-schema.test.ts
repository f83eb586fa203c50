import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { threadTimeMs } from "../../../engine/src/match/thread-time.ts";
import { compileSchema, SchemaProblem } from "./index.ts";

/** Milliseconds of processor time: what others do on the machine meanwhile does not count. */
function cost(work: () => unknown): number {
  const start = threadTimeMs();
  work();
  return threadTimeMs() - start;
}

const nested = (depth: number, leaf: unknown): unknown => {
  let value = leaf;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const MB = 1_000_000;

const ITEM = { id: 1, name: "a name", tags: ["one", "two"], at: "2026-11-15" };

/** A schema as people write them, and a megabyte that fits it. */
const ORDINARY = {
  schema: {
    type: "array",
    items: {
      type: "object",
      required: ["id", "name"],
      additionalProperties: false,
      properties: {
        id: { type: "integer", minimum: 0 },
        name: { type: "string", minLength: 1, maxLength: 80 },
        tags: { type: "array", uniqueItems: true, items: { enum: ["one", "two", "three"] } },
        at: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$" },
      },
    },
  },
  value: many(MB / JSON.stringify(ITEM).length, () => ITEM),
};

describe("hostile schemas and values", () => {
  const twoWays = {
    $defs: { a: { anyOf: [{ items: { $ref: "#/$defs/a" } }, { items: { $ref: "#/$defs/a" } }] } },
  };
  test.each<[string, object, unknown]>([
    ["a pattern that backtracks", { pattern: "^(\\w+\\s?)*$" }, `${"a".repeat(30)}!`],
    ["a long text for it", { pattern: "^(\\w+\\s?)*$" }, `${"a".repeat(MB)}!`],
    ["a pattern of many instructions", { pattern: "^(\\pL{1,500}x)*$" }, "a".repeat(MB)],
    ["thirty thousand unique items", { uniqueItems: true }, many(30_000, (id) => ({ id }))],
    ["two ways at each level", { ...twoWays, $ref: "#/$defs/a", type: "null" }, nested(60, 1)],
    [
      "two ways at each level, all failing",
      {
        $defs: {
          a: {
            anyOf: [
              { items: { $ref: "#/$defs/a" }, type: "array" },
              { items: { $ref: "#/$defs/a" }, type: "array" },
            ],
          },
        },
        $ref: "#/$defs/a",
      },
      nested(60, 1),
    ],
    ["a reference to itself", { $ref: "#" }, 1],
    [
      "a dynamic reference to itself",
      { $dynamicAnchor: "a", anyOf: [{ $dynamicRef: "#a" }, { $dynamicRef: "#a" }] },
      1,
    ],
    [
      "many schemas for many items",
      { items: { anyOf: many(2_000, (id) => ({ const: id })) } },
      many(100_000, () => -1),
    ],
    ["many lengths of a long text", { allOf: many(5_000, (id) => ({ minLength: id })) }, "a".repeat(MB)],
    [
      "many patterns for many names",
      { patternProperties: Object.fromEntries(many(500, (id) => [`^x${id}`, true])) },
      Object.fromEntries(many(50_000, (id) => [`p${id}`, 1])),
    ],
    [
      "many enumerations of a large value",
      { allOf: many(2_000, (id) => ({ enum: [id] })) },
      many(100_000, (id) => id),
    ],
    [
      "properties evaluated again and again",
      { allOf: many(2_000, () => ({ additionalProperties: true })), unevaluatedProperties: false },
      Object.fromEntries(many(50_000, (id) => [`p${id}`, 1])),
    ],
    [
      "a value that is nested without end",
      { $ref: "#/$defs/list", $defs: { list: { items: { $ref: "#/$defs/list" } } } },
      nested(50_000, 1),
    ],
    ["a deep value among unique items", { uniqueItems: true }, [nested(50_000, 1), nested(50_000, 1)]],
    ["a multiple of next to nothing", { items: { multipleOf: 5e-324 } }, many(100_000, (id) => id + 0.5)],
  ])("%s is settled in the time of at most forty ordinary megabytes", (_, schema, value) => {
    const check = compileSchema(schema);
    const ordinary = compileSchema(ORDINARY.schema);
    // On a slow processor the ordinary check takes longer, too.
    const bound = Math.max(1_500, 40 * cost(() => ordinary(ORDINARY.value, "value")));
    expect(cost(() => check(value, "value"))).toBeLessThan(bound);
  });

  test("a value that costs too much to check does not fit, with that reason", () => {
    const check = compileSchema({ items: { anyOf: many(2_000, (id) => ({ const: id })) } });
    expect(
      check(
        many(100_000, () => 1_999),
        "value",
      ),
    ).toEqual({
      text: "value cannot be checked: checking it takes too much work",
      field: "value",
    });
    expect(compileSchema({ $ref: "#" })(1, "value")?.text).toMatch("refers to itself too deeply");
  });

  test("a megabyte of ordinary items fits an ordinary schema", () => {
    expect(compileSchema(ORDINARY.schema)(ORDINARY.value, "value")).toBeUndefined();
  });

  test("the first five failures are reported, each of them briefly", () => {
    const value = Object.fromEntries(many(20_000, (id) => [`${"x".repeat(1_000)}${id}`, id]));
    const violation = compileSchema({ additionalProperties: { type: "string" } })(value, "value");
    expect(violation?.text.length).toBeLessThan(1_100);
    expect(violation?.text.match(/value\//g)).toHaveLength(5);
    expect(violation?.field.length).toBeLessThanOrEqual(300);
    const short = compileSchema({ items: { type: "string" } })(
      many(9, (id) => id),
      "value",
    );
    expect(short?.text).toBe(many(5, (id) => `value/${id} must be string`).join(", "));
  });

  test("what is cut from a message is no half of a character", () => {
    for (const lead of ["", "x"]) {
      const violation = compileSchema({
        additionalProperties: false,
        required: [`${lead}${"😀".repeat(200)}`],
      })({}, "v");
      expect(/[\ud800-\udbff](?![\udc00-\udfff])/.test(violation?.text ?? "")).toBe(false);
    }
  });
});

describe("schemas that are refused, with their location", () => {
  test.each<[string, object, string | RegExp]>([
    [
      "look-ahead",
      { properties: { a: { pattern: "^(?!x)" } } },
      /^properties\.a\.pattern: the pattern .* cannot be used/,
    ],
    [
      "a back-reference",
      { patternProperties: { "(a)\\1": true } },
      /^patternProperties\.\(a\)\\1: the pattern/,
    ],
    ["no pattern at all", { pattern: "(" }, /^pattern: the pattern/],
    [
      "a pattern that is too long",
      { pattern: "a".repeat(5_000) },
      "pattern: a pattern may have 2000 characters at most",
    ],
    [
      "patterns that are too large together",
      { allOf: many(50, (id) => ({ pattern: `a{${900 + id}}` })) },
      /too large together/,
    ],
    ["an unknown type", { items: { type: "text" } }, /^items\.type: it must be one of null, boolean/],
    ["no list of names", { required: "a" }, "required: it must be a list of property names"],
    [
      "no schema",
      { properties: { a: "string" } },
      "properties.a: it must be a schema: an object, true or false",
    ],
    ["a reference that leads nowhere", { $ref: "#/$defs/a" }, '$ref: there is no "#/$defs/a"'],
    [
      "a reference to another document",
      { $ref: "https://example.com/a" },
      /there is no schema "https:\/\/example\.com\/a" in this one/,
    ],
    ["too many values", { enum: many(30_000, (id) => id) }, "a schema may have 20000 values at most"],
    ["too many levels", nested(70, {}) as object, "a schema may be 64 levels deep at most"],
    ["a length below zero", { minLength: -1 }, "minLength: it must be a whole number that is not negative"],
  ])("%s", (_, schema, message) => {
    expect(() => compileSchema({ not: {}, ...(Array.isArray(schema) ? { const: schema } : schema) })).toThrow(
      message,
    );
    expect(() => compileSchema({ ...(Array.isArray(schema) ? { const: schema } : schema) })).toThrow(
      SchemaProblem,
    );
  });

  test("patterns beyond the engine may be ignored instead", () => {
    const check = compileSchema(
      { type: "string", pattern: "^(?!x)", maxLength: 3 },
      { unsupportedPatterns: "ignore" },
    );
    expect(check("xx", "value")).toBeUndefined();
    expect(check("xxxx", "value")?.text).toBe("value must NOT have more than 3 characters");
  });

  test("a large schema is read quickly", () => {
    const properties = Object.fromEntries(many(4_000, (id) => [`p${id}`, { type: "string", maxLength: 5 }]));
    expect(cost(() => compileSchema({ properties, required: Object.keys(properties) }))).toBeLessThan(1_000);
  });
});

describe("by the standard", () => {
  const leaf = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom("", "a", "b", "ab"),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { noNullPrototype: true }),
    ),
  })).value;
  const schema = fc.letrec((tie) => {
    const sub = tie("schema");
    const subs = fc.array(sub, { minLength: 1, maxLength: 3 });
    const named = fc.dictionary(fc.constantFrom("a", "b"), sub);
    const size = fc.integer({ min: 0, max: 3 });
    const record = fc.record(
      {
        type: fc.constantFrom("null", "boolean", "string", "number", "integer", "array", "object", [
          "string",
          "null",
        ]),
        const: value,
        enum: fc.array(value, { minLength: 1, maxLength: 3 }),
        minimum: size,
        exclusiveMaximum: size,
        multipleOf: fc.integer({ min: 1, max: 3 }),
        minLength: size,
        maxLength: size,
        pattern: fc.constantFrom("^a", "b$", "a|b"),
        minItems: size,
        maxItems: size,
        uniqueItems: fc.boolean(),
        minProperties: size,
        maxProperties: size,
        required: fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 }),
        dependentRequired: fc.constant({ a: ["b"] }),
        properties: named,
        patternProperties: fc.record({ "^a": sub }),
        additionalProperties: sub,
        propertyNames: sub,
        prefixItems: subs,
        items: sub,
        contains: sub,
        minContains: size,
        allOf: subs,
        anyOf: subs,
        oneOf: subs,
        not: sub,
        if: sub,
        // biome-ignore lint/suspicious/noThenProperty: the keyword is called so.
        then: sub,
        else: sub,
        dependentSchemas: named,
        unevaluatedProperties: sub,
        unevaluatedItems: sub,
        $ref: fc.constantFrom("#/$defs/x", "#/$defs/y"),
      },
      { requiredKeys: [] },
    );
    // Most keywords are left out, or nothing would ever fit.
    const sparse = fc
      .tuple(record, fc.array(fc.nat(50), { minLength: 1, maxLength: 3 }))
      .map(([all, picks]) => {
        const entries = Object.entries(all);
        return Object.fromEntries(
          picks.flatMap((pick) => (entries.length === 0 ? [] : [entries[pick % entries.length] ?? []])),
        ) as object;
      });
    return { schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), sparse) };
  }).schema;
  const root = fc.tuple(
    schema,
    fc.constantFrom({ type: "string" }, { items: { $ref: "#/$defs/y" } }),
    fc.constantFrom(true, { required: ["a"] }),
  );
  /**
   * Where the other validator departs from the standard: beside `prefixItems` it ignores `contains` for an empty list, and for
   * `unevaluated…` it ignores, or throws over, what `contains`, `if` and `patternProperties` have evaluated.
   */
  const isWrongThere = (schemas: unknown) => {
    const has = (...keywords: string[]) =>
      keywords.some((keyword) => JSON.stringify(schemas).includes(`"${keyword}":`));
    return (
      (has("prefixItems") && has("contains")) ||
      (has("unevaluatedItems", "unevaluatedProperties") && has("contains", "if", "patternProperties"))
    );
  };

  test.each<[object, unknown, boolean]>([
    [{ prefixItems: [{ type: "string" }], contains: true }, [], false],
    [{ contains: { type: "string" }, unevaluatedItems: false }, ["a"], true],
    [{ contains: { type: "string" }, unevaluatedItems: false }, ["a", 1], false],
    [{ if: { prefixItems: [{}] }, unevaluatedItems: false }, ["a"], true],
    [{ anyOf: [{ unevaluatedProperties: false }, true], patternProperties: { "^a": true } }, { a: 1 }, true],
  ])("%j and %j: %s", (schema, value, expected) => {
    expect(compileSchema(schema)(value, "value") === undefined).toBe(expected);
  });

  test("it agrees with another validator about schemas and values of every kind", () => {
    fc.assert(
      fc.property(
        root.filter((schemas) => !isWrongThere(schemas)),
        fc.array(value, { minLength: 1, maxLength: 8 }),
        ([schema, x, y], values) => {
          const whole = { allOf: [schema], $defs: { x, y } } as object;
          const ajv = new Ajv2020({
            strict: false,
            validateFormats: false,
            validateSchema: false,
            meta: false,
          });
          const theirs = ajv.compile(whole);
          const ours = compileSchema(whole);
          for (const value of values) expect(ours(value, "value") === undefined).toBe(theirs(value));
        },
      ),
      // Seeded, because the other validator throws over a few rare schemas more.
      { numRuns: 100, seed: 20261116 },
    );
  });
});
