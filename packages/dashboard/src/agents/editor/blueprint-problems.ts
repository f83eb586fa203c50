import { blueprint, RUN_HOOK_TYPES } from "@tenterhook/protocol/runs";
import { isJsonObject, type JsonObject, valueAt } from "../../editing/json-object.ts";
import { type FieldProblem, schemaProblems } from "../../editing/problems.ts";
import { httpProblems } from "../../hooks/fields/http-problems.ts";
import { schemaShape } from "./schema-shape.ts";

/**
 * Everything that the page can see is wrong with a blueprint, by its fields: the coordinator's schema says it, too. Of an
 * agent that is saved the name cannot become another, since runs and hooks know it by that.
 */
export function blueprintProblems(value: JsonObject, savedName?: string): FieldProblem[] {
  const isRenamed = savedName !== undefined && value.name !== savedName;
  return [
    ...(isRenamed
      ? [{ path: "name", message: `Cannot be changed: it is ${savedName}`, isMissing: false }]
      : []),
    ...schemaProblems(blueprint, value),
    ...["parameters_schema", "output_schema"].flatMap((path) => {
      const schema = value[path];
      const message = isJsonObject(schema) ? schemaShape(schema) : undefined;
      return message === undefined ? [] : [{ path, message, isMissing: false }];
    }),
    ...RUN_HOOK_TYPES.flatMap((type) => {
      const path = `hooks.${type}`;
      return httpProblems(valueAt(value, path), path);
    }),
  ];
}

/** A blueprint with everything filled in that goes without saying, to compare it with another. */
export function normalBlueprint(value: JsonObject): JsonObject {
  const read = blueprint.safeParse(value);
  return read.success ? read.data : value;
}
