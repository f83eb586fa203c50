import { messageOf, TenterhookError } from "../errors.ts";
import { compileRegex } from "../regex/compile-regex.ts";
import { isRecord } from "../values.ts";
import { APPLICATORS } from "./applicators.ts";
import { ASSERTIONS } from "./assertions.ts";
import type { KeywordReader, LinearPattern } from "./keyword.ts";
import { type Check, evaluate, type Resource, type SchemaNode, Seen } from "./schema-node.ts";

/** Why a schema cannot be used, and where in it: `properties.name.pattern`. */
export class SchemaProblem extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(path === "" ? message : `${path}: ${message}`);
    this.path = path;
  }
}

export interface SchemaOptions {
  /** What to do about a pattern that the linear-time engine does not have, such as look-ahead. Default: "refuse". */
  readonly unsupportedPatterns?: "refuse" | "ignore";
}

/** Values in a schema, of all kinds. */
const MAX_VALUES = 20_000;
const DEEPEST = 64;
/** Instructions of all patterns of a schema together: what it costs to compile them, and to keep them. */
const LARGEST_PROGRAMS = 10_000;
const LONGEST_PATTERN = 2_000;
/** Instructions that one step pays for. */
const INSTRUCTIONS_A_STEP = 16;

const KEYWORDS = Object.entries({ ...ASSERTIONS, ...APPLICATORS });
/** Keywords that contain schemas without applying them. */
const DEFINITIONS = ["$defs", "definitions"];
const BASE = "schema:/";

type Path = readonly (string | number)[];

/** Reads a schema by JSON Schema 2020-12. `format` and what it does not know are annotations. */
export class SchemaReader {
  readonly #nodes = new Map<object, SchemaNode>();
  readonly #resources = new Map<string, Resource>();
  readonly #anchors = new Map<string, SchemaNode>();
  readonly #references: (() => void)[] = [];
  readonly #options: SchemaOptions;
  #programs = 0;
  #tracks = false;

  constructor(options: SchemaOptions) {
    this.#options = options;
  }

  /** Throws `SchemaProblem`. */
  read(schema: unknown): (...value: Parameters<Check>) => boolean {
    checkSize(schema);
    const root = this.#node(schema, this.#resource(BASE, schema), []);
    // References may lead anywhere, and what they lead to may contain more of them.
    for (let resolve = this.#references.pop(); resolve !== undefined; resolve = this.#references.pop())
      resolve();
    return (value, location, validation) =>
      evaluate(root, value, location, validation, this.#tracks ? new Seen() : undefined);
  }

  #resource(uri: string, schema: unknown): Resource {
    const known = this.#resources.get(uri);
    if (known !== undefined) return known;
    const resource: Resource = { uri, schema, dynamicAnchors: new Map() };
    this.#resources.set(uri, resource);
    return resource;
  }

  #node(schema: unknown, outer: Resource, path: Path): SchemaNode {
    if (schema === true) return { checks: [], resource: outer };
    if (schema === false) {
      return {
        checks: [(_value, location, validation) => validation.fail(location, "boolean schema is false")],
        resource: outer,
      };
    }
    if (!isRecord(schema)) throw problem(path, "it must be a schema: an object, true or false");
    const known = this.#nodes.get(schema);
    if (known !== undefined) return known;
    const resource = this.#resourceOf(schema, outer, path);
    const node: SchemaNode = { checks: [], resource };
    this.#nodes.set(schema, node);
    this.#nameAnchors(schema, node, path);
    node.checks = this.#checks(schema, resource, path);
    return node;
  }

  #resourceOf(schema: Readonly<Record<string, unknown>>, outer: Resource, path: Path): Resource {
    const { $id } = schema;
    if ($id === undefined) return outer;
    if (typeof $id !== "string") throw problem([...path, "$id"], "it must be a string");
    return this.#resource(withoutFragment(absolute($id, outer.uri, [...path, "$id"])), schema);
  }

  #nameAnchors(schema: Readonly<Record<string, unknown>>, node: SchemaNode, path: Path): void {
    for (const keyword of ["$anchor", "$dynamicAnchor"] as const) {
      const name = schema[keyword];
      if (name === undefined) continue;
      if (typeof name !== "string") throw problem([...path, keyword], "it must be a string");
      this.#anchors.set(`${node.resource.uri}#${name}`, node);
      if (keyword === "$dynamicAnchor") node.resource.dynamicAnchors.set(name, node);
    }
  }

  #checks(schema: Readonly<Record<string, unknown>>, resource: Resource, path: Path): Check[] {
    for (const keyword of DEFINITIONS) {
      if (!isRecord(schema[keyword])) continue;
      for (const [name, definition] of Object.entries(schema[keyword])) {
        this.#node(definition, resource, [...path, keyword, name]);
      }
    }
    // Without an `if` they apply to nothing, but a reference may lead to them.
    for (const keyword of ["then", "else"]) {
      if (schema[keyword] !== undefined) this.#node(schema[keyword], resource, [...path, keyword]);
    }
    if ("unevaluatedProperties" in schema || "unevaluatedItems" in schema) this.#tracks = true;
    const checks: Check[] = [];
    for (const keyword of ["$ref", "$dynamicRef"] as const) {
      if (schema[keyword] !== undefined)
        checks.push(this.#reference(keyword, schema[keyword], resource, path));
    }
    for (const [keyword, read] of KEYWORDS) {
      if (!Object.hasOwn(schema, keyword)) continue;
      const check = read(schema[keyword], this.#keywordReader(schema, resource, [...path, keyword]));
      if (check !== undefined) checks.push(check);
    }
    return checks;
  }

  #keywordReader(schema: Readonly<Record<string, unknown>>, resource: Resource, path: Path): KeywordReader {
    return {
      schema,
      node: (value, ...more) => this.#node(value, resource, joined(path, more)),
      pattern: (source, ...more) => this.#pattern(source, joined(path, more)),
      malformed: (wanted) => problem(path, `it must be ${wanted}`),
    };
  }

  #pattern(source: unknown, path: Path): LinearPattern | undefined {
    if (typeof source !== "string") throw problem(path, "it must be a regular expression");
    if (source.length > LONGEST_PATTERN) {
      throw problem(path, `a pattern may have ${LONGEST_PATTERN} characters at most`);
    }
    try {
      const compiled = compileRegex(source, "u");
      const size = compiled.programSize();
      this.#programs += size;
      if (this.#programs > LARGEST_PROGRAMS)
        throw problem(path, "the patterns of the schema are too large together");
      return { cost: Math.max(0.25, size / INSTRUCTIONS_A_STEP), test: (text) => compiled.test(text) };
    } catch (error) {
      if (!TenterhookError.isInstance(error)) throw error;
      if (error.code === "unsupported_pattern" && this.#options.unsupportedPatterns === "ignore")
        return undefined;
      throw problem(path, messageOf(error));
    }
  }

  #reference(keyword: "$ref" | "$dynamicRef", value: unknown, resource: Resource, path: Path): Check {
    const here = [...path, keyword];
    if (typeof value !== "string") throw problem(here, "it must be a string");
    const address = absolute(value, resource.uri, here);
    let target: SchemaNode | undefined;
    this.#references.push(() => {
      target = this.#target(address, here);
    });
    const anchor = readFragment(address);
    return (value, location, validation, seen) => {
      let node = target as SchemaNode;
      if (keyword === "$dynamicRef" && node.resource.dynamicAnchors.get(anchor) === node) {
        // The outermost schema with an anchor of this name decides.
        const outer = (validation.resources as readonly Resource[]).find(({ dynamicAnchors }) =>
          dynamicAnchors.has(anchor),
        );
        node = outer?.dynamicAnchors.get(anchor) ?? node;
      }
      return evaluate(node, value, location, validation, seen);
    };
  }

  #target(address: string, path: Path): SchemaNode {
    const uri = withoutFragment(address);
    const fragment = readFragment(address);
    const resource = this.#resources.get(uri);
    const anchored = this.#anchors.get(`${uri}#${fragment}`);
    if (anchored !== undefined) return anchored;
    if (resource === undefined) throw problem(path, `there is no schema "${address}" in this one`);
    if (fragment !== "" && !fragment.startsWith("/")) throw problem(path, `there is no anchor "${fragment}"`);
    let schema = resource.schema;
    let around = resource;
    for (const step of fragment.split("/").slice(1)) {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const exists = typeof schema === "object" && schema !== null && Object.hasOwn(schema, key);
      if (!exists) throw problem(path, `there is no "#${fragment}"`);
      schema = (schema as Record<string, unknown>)[key];
      if (isRecord(schema) && typeof schema.$id === "string") around = this.#resourceOf(schema, around, path);
    }
    return this.#node(schema, around, path);
  }
}

function problem(path: Path, message: string): SchemaProblem {
  return new SchemaProblem(path.join("."), message);
}

/** Continues a path; ".." goes back to the schema that contains a keyword. */
function joined(path: Path, more: Path): Path {
  return more[0] === ".." ? [...path.slice(0, -1), ...more.slice(1)] : [...path, ...more];
}

function absolute(reference: string, base: string, path: Path): string {
  try {
    return new URL(reference, base).href;
  } catch {
    throw problem(path, `"${reference}" is not an address`);
  }
}

function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, "");
}

function readFragment(address: string): string {
  try {
    return decodeURIComponent(/#(.*)$/s.exec(address)?.[1] ?? "");
  } catch {
    return "";
  }
}

/** Reading a schema is recursive, and some of its keywords are read twice. */
function checkSize(schema: unknown): void {
  const waiting: [value: unknown, depth: number][] = [[schema, 0]];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next;
    count += 1;
    if (count > MAX_VALUES) throw problem([], `a schema may have ${MAX_VALUES} values at most`);
    if (typeof value !== "object" || value === null) continue;
    if (depth >= DEEPEST) throw problem([], `a schema may be ${DEEPEST} levels deep at most`);
    for (const item of Object.values(value)) waiting.push([item, depth + 1]);
  }
}
