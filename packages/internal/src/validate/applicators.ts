import { isRecord } from "../values.ts";
import { needs } from "./assertions.ts";
import { count, type Keyword, type LinearPattern, names, schemaList, schemasIn } from "./keyword.ts";
import { type Check, evaluate, type SchemaNode, Seen } from "./schema-node.ts";
import { every, type Failure, type Validation } from "./validation.ts";

const allOf: Keyword = (value, read) => inPlace(schemaList(value, read));

/** Every one of some schemas, for the same value. */
function inPlace(nodes: readonly SchemaNode[]): Check {
  return (value, location, validation, seen) =>
    every(nodes, validation, (node) => evaluate(node, value, location, validation, seen));
}

const anyOf: Keyword = (value, read) => {
  const nodes = schemaList(value, read);
  return (value, location, validation, seen) => {
    const failures: Failure[] = [];
    let fits = false;
    for (const node of nodes) {
      const failed = validation.attempt(() => evaluate(node, value, location, validation, seen));
      if (failed === undefined) fits = true;
      else failures.push(...failed);
      // Without a need to know what was evaluated, one is enough.
      if (fits && seen === undefined) return true;
    }
    if (fits) return true;
    validation.adopt(failures);
    return validation.fail(location, "must match a schema in anyOf");
  };
};

const oneOf: Keyword = (value, read) => {
  const nodes = schemaList(value, read);
  return (value, location, validation, seen) => {
    const failures: Failure[] = [];
    let fitting = 0;
    for (const node of nodes) {
      const failed = validation.attempt(() => evaluate(node, value, location, validation, seen));
      if (failed === undefined) fitting += 1;
      else failures.push(...failed);
      if (fitting > 1) break;
    }
    if (fitting === 1) return true;
    if (fitting === 0) validation.adopt(failures);
    return validation.fail(location, "must match exactly one schema in oneOf");
  };
};

const not: Keyword = (value, read) => {
  const node = read.node(value);
  return (value, location, validation, seen) =>
    validation.attempt(() => evaluate(node, value, location, validation, child(seen))) !== undefined ||
    validation.fail(location, "must NOT be valid");
};

const condition: Keyword = (value, read) => {
  const test = read.node(value);
  const branch = (name: "then" | "else") =>
    read.schema[name] === undefined ? undefined : read.node(read.schema[name], "..", name);
  const [whenTrue, whenFalse] = [branch("then"), branch("else")];
  return (value, location, validation, seen) => {
    const isTrue = validation.attempt(() => evaluate(test, value, location, validation, seen)) === undefined;
    const node = isTrue ? whenTrue : whenFalse;
    if (node === undefined || evaluate(node, value, location, validation, seen)) return true;
    return validation.fail(location, `must match "${isTrue ? "then" : "else"}" schema`);
  };
};

const dependentSchemas: Keyword = (value, read) => dependents(schemasIn(value, read));

function dependents(nodes: readonly [string, SchemaNode][]): Check {
  return (value, location, validation, seen) =>
    !isRecord(value) ||
    nodes.every(
      ([name, node]) => !Object.hasOwn(value, name) || evaluate(node, value, location, validation, seen),
    );
}

/** Of older drafts: a property needs others, or makes another schema apply. */
const dependencies: Keyword = (value, read) => {
  if (!isRecord(value)) throw read.malformed("an object of schemas or lists");
  const checks = Object.entries(value).map(([name, wanted]) =>
    Array.isArray(wanted) ? needs(name, names(wanted, read)) : dependents([[name, read.node(wanted, name)]]),
  );
  return (value, location, validation, seen) =>
    checks.every((check) => check(value, location, validation, seen));
};

const properties: Keyword = (value, read) => {
  const nodes = schemasIn(value, read);
  return (value, location, validation, seen) => {
    if (!isRecord(value)) return true;
    validation.spend(nodes.length);
    return every(nodes, validation, ([name, node]) => {
      if (!Object.hasOwn(value, name)) return true;
      seen?.addProperty(name);
      return evaluate(node, value[name], { parent: location, key: name }, validation, child(seen));
    });
  };
};

/** A child is a value of its own: what is seen of it does not count for its parent. */
function child(seen: Seen | undefined): Seen | undefined {
  return seen === undefined ? undefined : new Seen();
}

const patternProperties: Keyword = (value, read) => {
  const nodes = schemasIn(value, read).flatMap(([source, node]) => {
    const pattern = read.pattern(source, source);
    return pattern === undefined ? [] : [{ pattern, node }];
  });
  return (value, location, validation, seen) => {
    if (!isRecord(value)) return true;
    return every(Object.keys(value), validation, (name) =>
      every(nodes, validation, ({ pattern, node }) => {
        if (!matches(pattern, name, validation)) return true;
        seen?.addProperty(name);
        return evaluate(node, value[name], { parent: location, key: name }, validation, child(seen));
      }),
    );
  };
};

function matches(pattern: LinearPattern, text: string, validation: Validation): boolean {
  validation.spend(1 + Math.ceil(text.length * pattern.cost));
  return pattern.test(text);
}

const additionalProperties: Keyword = (value, read) => {
  const node = read.node(value);
  const { properties = {}, patternProperties = {} } = read.schema;
  const named = new Set(isRecord(properties) ? Object.keys(properties) : []);
  const patterns = (isRecord(patternProperties) ? Object.keys(patternProperties) : []).flatMap(
    (source) => read.pattern(source, "..", "patternProperties", source) ?? [],
  );
  return others(
    node,
    value === false,
    "must NOT have additional properties",
    (name, validation) => named.has(name) || patterns.some((pattern) => matches(pattern, name, validation)),
  );
};

const unevaluatedProperties: Keyword = (value, read) =>
  others(
    read.node(value),
    value === false,
    "must NOT have unevaluated properties",
    (name, _validation, seen) => Boolean(seen?.hasProperty(name)),
  );

/** The properties that no other keyword is about. */
function others(
  node: SchemaNode,
  isForbidden: boolean,
  message: string,
  isKnown: (name: string, validation: Validation, seen: Seen | undefined) => boolean,
): Check {
  return (value, location, validation, seen) => {
    if (!isRecord(value)) return true;
    return every(Object.keys(value), validation, (name) => {
      validation.spend(4);
      if (isKnown(name, validation, seen)) return true;
      if (isForbidden) return validation.fail(location, message, name);
      seen?.addProperty(name);
      return evaluate(node, value[name], { parent: location, key: name }, validation, child(seen));
    });
  };
}

const propertyNames: Keyword = (value, read) => {
  const node = read.node(value);
  return (value, location, validation, seen) =>
    !isRecord(value) ||
    every(
      Object.keys(value),
      validation,
      (name) =>
        evaluate(node, name, location, validation, child(seen)) ||
        validation.fail(location, "property name must be valid", name),
    );
};

const prefixItems: Keyword = (value, read) => {
  const nodes = schemaList(value, read);
  return (value, location, validation, seen) =>
    !Array.isArray(value) ||
    every(nodes.slice(0, value.length).entries(), validation, ([index, node]) => {
      seen?.addItem(index);
      return evaluate(node, value[index], { parent: location, key: index }, validation, child(seen));
    });
};

const items: Keyword = (value, read) => {
  const node = read.node(value);
  const { prefixItems } = read.schema;
  const first = Array.isArray(prefixItems) ? prefixItems.length : 0;
  return (value, location, validation, seen) => {
    if (!Array.isArray(value)) return true;
    let fits = true;
    for (let index = first; index < value.length; index += 1) {
      seen?.addItem(index);
      if (evaluate(node, value[index], { parent: location, key: index }, validation, child(seen))) continue;
      fits = false;
      if (validation.isEnough) break;
    }
    return fits;
  };
};

const contains: Keyword = (value, read) => {
  const node = read.node(value);
  const { minContains, maxContains } = read.schema;
  const least = minContains === undefined ? 1 : count(minContains, read);
  const most = maxContains === undefined ? Number.POSITIVE_INFINITY : count(maxContains, read);
  const words =
    most === Number.POSITIVE_INFINITY ? `at least ${least}` : `at least ${least} and no more than ${most}`;
  return (value, location, validation, seen) => {
    if (!Array.isArray(value)) return true;
    let found = 0;
    for (const [index, item] of value.entries()) {
      const at = { parent: location, key: index };
      if (validation.attempt(() => evaluate(node, item, at, validation, child(seen))) !== undefined) continue;
      seen?.addItem(index);
      found += 1;
    }
    if (found >= least && found <= most) return true;
    return validation.fail(location, `must contain ${words} valid item(s)`);
  };
};

const unevaluatedItems: Keyword = (value, read) => {
  const node = read.node(value);
  return (value, location, validation, seen) =>
    !Array.isArray(value) ||
    every(value.entries(), validation, ([index, item]) => {
      validation.spend(1);
      if (seen?.hasItem(index)) return true;
      seen?.addItem(index);
      return evaluate(node, item, { parent: location, key: index }, validation, child(seen));
    });
};

/** Keywords that apply schemas. Those at the end need what the others have evaluated. */
export const APPLICATORS: Readonly<Record<string, Keyword>> = {
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  prefixItems,
  items,
  contains,
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
  dependentSchemas,
  dependencies,
  unevaluatedItems,
  unevaluatedProperties,
};
