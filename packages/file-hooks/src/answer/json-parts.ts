import { useOf } from "./answer-keys.ts";
import { type JsonNode, JsonObject } from "./find-json.ts";

/** Keys whose values are data: when they are taken, nothing in them is an answer. */
const DATA: ReadonlySet<string | undefined> = new Set(["modified_input", "modified_result"]);

/** Everything inside a value, itself included; without what is inside a change, unless asked for. */
export function* partsOf(value: JsonNode, withChanges: boolean): Generator<JsonNode> {
  const rest: JsonNode[] = [value];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    yield next;
    if (Array.isArray(next)) for (const item of next) rest.push(item);
    if (next instanceof JsonObject)
      for (const [key, part] of next.entries) if (withChanges || !DATA.has(useOf(key))) rest.push(part);
  }
}

/** A value as `JSON.parse` would give it: of two entries with one key the last counts. */
export function plainValue(node: JsonNode): unknown {
  if (Array.isArray(node)) return node.map(plainValue);
  if (!(node instanceof JsonObject)) return node;
  return Object.fromEntries(node.entries.map(([key, value]) => [key, plainValue(value)]));
}
