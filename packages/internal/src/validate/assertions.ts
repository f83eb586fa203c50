import { canonicalJson } from "../json.ts";
import { isRecord } from "../values.ts";
import { count, type Keyword, names, numeral } from "./keyword.ts";
import type { Check } from "./schema-node.ts";
import { every } from "./validation.ts";

const TYPES = new Map<string, (value: unknown) => boolean>([
  ["null", (value) => value === null],
  ["boolean", (value) => typeof value === "boolean"],
  ["string", (value) => typeof value === "string"],
  ["number", (value) => typeof value === "number" && Number.isFinite(value)],
  ["integer", Number.isInteger],
  ["array", Array.isArray],
  ["object", isRecord],
]);

const type: Keyword = (value, read) => {
  const wanted: unknown[] = Array.isArray(value) ? value : [value];
  const tests = wanted.map((name) => TYPES.get(String(name)));
  if (tests.length === 0 || tests.includes(undefined)) {
    throw read.malformed(`one of ${[...TYPES.keys()].join(", ")}, or a list of them`);
  }
  const message = `must be ${wanted.join(",")}`;
  const isNullable = read.schema.nullable === true;
  return (value, location, validation) =>
    (isNullable && value === null) ||
    tests.some((isType) => isType?.(value)) ||
    validation.fail(location, message);
};

const constant: Keyword = (value) => among([value], "must be equal to constant");

const enumeration: Keyword = (value, read) => {
  if (!Array.isArray(value)) throw read.malformed("a list of values");
  return among(value, "must be equal to one of the allowed values");
};

function among(values: readonly unknown[], message: string): Check {
  const plain = new Set(values.filter((value) => !isCompound(value)));
  const compound = new Set(values.filter(isCompound).map(canonicalJson));
  return (value, location, validation) => {
    if (!isCompound(value)) return plain.has(value) || validation.fail(location, message);
    if (compound.size === 0) return validation.fail(location, message);
    const text = canonicalJson(value);
    validation.spend(text.length >> 1);
    return compound.has(text) || validation.fail(location, message);
  };
}

function isCompound(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function ofNumber(sign: string, fits: (value: number, limit: number) => boolean): Keyword {
  return (value, read) => {
    const limit = numeral(value, read);
    return (value, location, validation) =>
      typeof value !== "number" ||
      fits(value, limit) ||
      validation.fail(location, `must be ${sign} ${limit}`);
  };
}

const multipleOf: Keyword = (value, read) => {
  const divisor = numeral(value, read);
  if (divisor <= 0) throw read.malformed("a number above 0");
  return (value, location, validation) =>
    typeof value !== "number" ||
    Number.isInteger(value / divisor) ||
    validation.fail(location, `must be multiple of ${divisor}`);
};

type SizeOf = (value: unknown, limit: number, validation: Parameters<Check>[2]) => number | undefined;

function ofSize(
  words: (limit: number) => string,
  sizeOf: SizeOf,
  fits: (size: number, limit: number) => boolean,
): Keyword {
  return (value, read) => {
    const limit = count(value, read);
    return (value, location, validation) => {
      const size = sizeOf(value, limit, validation);
      return size === undefined || fits(size, limit) || validation.fail(location, words(limit));
    };
  };
}

const characters: SizeOf = (value, limit, validation) => {
  if (typeof value !== "string") return undefined;
  const { length } = value;
  // A character has one or two units: below the limit, and above its double, there is nothing to count.
  if (length < limit || length > 2 * limit) return length;
  validation.spend(length >> 1);
  let count = 0;
  for (const _character of value) count += 1;
  return count;
};
const items: SizeOf = (value) => (Array.isArray(value) ? value.length : undefined);
const properties: SizeOf = (value, _limit, validation) => {
  if (!isRecord(value)) return undefined;
  const { length } = Object.keys(value);
  validation.spend(length);
  return length;
};
const atMost = (size: number, limit: number) => size <= limit;
const atLeast = (size: number, limit: number) => size >= limit;

const pattern: Keyword = (value, read) => {
  const compiled = read.pattern(value);
  if (compiled === undefined) return undefined;
  return (text, location, validation) => {
    if (typeof text !== "string") return true;
    validation.spend(Math.ceil(text.length * compiled.cost));
    return compiled.test(text) || validation.fail(location, `must match pattern "${value}"`);
  };
};

const uniqueItems: Keyword = (value, read) => {
  if (typeof value !== "boolean") throw read.malformed("true or false");
  if (!value) return undefined;
  return (value, location, validation) => {
    if (!Array.isArray(value)) return true;
    // The text of an object begins with a bracket; a plain text like it gets a mark before it.
    const known = new Map<unknown, number>();
    for (const [index, item] of value.entries()) {
      const text = isCompound(item) ? canonicalJson(item) : typeof item === "string" ? `"${item}` : item;
      validation.spend(typeof text === "string" ? 1 + (text.length >> 1) : 1);
      const same = known.get(text);
      if (same !== undefined) {
        return validation.fail(
          location,
          `must NOT have duplicate items (items ## ${same} and ${index} are identical)`,
        );
      }
      known.set(text, index);
    }
    return true;
  };
};

const required: Keyword = (value, read) => {
  const wanted = names(value, read);
  return (value, location, validation) => {
    if (!isRecord(value)) return true;
    validation.spend(wanted.length);
    return every(
      wanted,
      validation,
      (name) =>
        Object.hasOwn(value, name) ||
        validation.fail(location, `must have required property '${name}'`, name),
    );
  };
};

const dependentRequired: Keyword = (value, read) => {
  if (!isRecord(value)) throw read.malformed("an object of lists");
  const checks = Object.entries(value).map(([name, wanted]) => needs(name, names(wanted, read)));
  return (value, location, validation, seen) =>
    checks.every((check) => check(value, location, validation, seen));
};

/** What must be present when a property is. */
export function needs(name: string, wanted: readonly string[]): Check {
  return (value, location, validation) => {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return true;
    validation.spend(wanted.length);
    const missing = wanted.find((other) => !Object.hasOwn(value, other));
    return (
      missing === undefined ||
      validation.fail(location, `must have property ${missing} when property ${name} is present`, missing)
    );
  };
}

/** Keywords that check a value by itself. */
export const ASSERTIONS: Readonly<Record<string, Keyword>> = {
  type,
  const: constant,
  enum: enumeration,
  minimum: ofNumber(">=", (value, limit) => value >= limit),
  maximum: ofNumber("<=", (value, limit) => value <= limit),
  exclusiveMinimum: ofNumber(">", (value, limit) => value > limit),
  exclusiveMaximum: ofNumber("<", (value, limit) => value < limit),
  multipleOf,
  minLength: ofSize((limit) => `must NOT have fewer than ${limit} characters`, characters, atLeast),
  maxLength: ofSize((limit) => `must NOT have more than ${limit} characters`, characters, atMost),
  pattern,
  minItems: ofSize((limit) => `must NOT have fewer than ${limit} items`, items, atLeast),
  maxItems: ofSize((limit) => `must NOT have more than ${limit} items`, items, atMost),
  uniqueItems,
  minProperties: ofSize((limit) => `must NOT have fewer than ${limit} properties`, properties, atLeast),
  maxProperties: ofSize((limit) => `must NOT have more than ${limit} properties`, properties, atMost),
  required,
  dependentRequired,
};
