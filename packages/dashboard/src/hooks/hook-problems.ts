import { agentName, runHookDefinition } from "@tenterhook/protocol/runs";
import { z } from "zod";
import "../no-eval.ts";
import type { JsonObject } from "../editing/json-object.ts";
import { type FieldProblem, schemaProblems } from "../editing/problems.ts";
import { httpProblems } from "./fields/http-problems.ts";

const named = z.object({ name: agentName });

/** The problems of a definition; for a new hook also of its name, which is part of the draft. */
export function hookProblems(value: JsonObject, isNew: boolean): FieldProblem[] {
  return [
    ...(isNew ? schemaProblems(named, value) : []),
    ...schemaProblems(runHookDefinition, definitionOf(value)),
    ...httpProblems(value, ""),
  ];
}

export function normalHook(value: JsonObject): JsonObject {
  const read = runHookDefinition.safeParse(definitionOf(value));
  return read.success ? read.data : value;
}

export function definitionOf({ name: _, ...definition }: JsonObject): JsonObject {
  return definition;
}
