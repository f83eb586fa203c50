import { isRecord } from "@tenterhook/internal";
import { blueprint, RUN_HOOK_TYPES } from "@tenterhook/protocol/runs";
import { type JsonObject, valueAt } from "../../editing/json-object.ts";
import { type FieldProblem, schemaProblems } from "../../editing/problems.ts";
import { httpProblems } from "../../hooks/fields/http-problems.ts";
import { schemaShape } from "./schema-shape.ts";

/**
 * The problems of a blueprint that the page can detect, by field; the coordinator checks the same schema. A saved agent cannot
 * be renamed, because runs and hooks refer to it by name.
 */
export function blueprintProblems(value: JsonObject, savedName?: string): FieldProblem[] {
  const isRenamed = savedName !== undefined && value.name !== savedName;
  return [
    ...(isRenamed
      ? [{ path: "name", message: `Cannot be changed: the name is ${savedName}`, isMissing: false }]
      : []),
    ...schemaProblems(blueprint, value),
    ...["parameters_schema", "output_schema"].flatMap((path) => {
      const schema = value[path];
      const message = isRecord(schema) ? schemaShape(schema) : undefined;
      return message === undefined ? [] : [{ path, message, isMissing: false }];
    }),
    ...RUN_HOOK_TYPES.flatMap((type) => {
      const path = `hooks.${type}`;
      return httpProblems(valueAt(value, path), path);
    }),
  ];
}

/** A blueprint with all defaults, for comparisons. */
export function normalBlueprint(value: JsonObject): JsonObject {
  const read = blueprint.safeParse(value);
  return read.success ? read.data : value;
}
