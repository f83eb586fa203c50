import { PERMISSIONS, problem } from "@tenterhook/protocol/runs";
import { z } from "zod";
import { PROBLEMS } from "../problem.ts";
import { type JsonSchema, jsonSchema, NamedSchemas } from "./named-schemas.ts";
import type { Operation } from "./operation.ts";

/** The operations as an OpenAPI 3.1 document, made of the very schemas that check the requests. */
export function openApiDocument(operations: readonly Operation[]): JsonSchema {
  const schemas = new NamedSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const each of operations) {
    paths[each.path] = { ...paths[each.path], [each.method]: described(each, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Tenterhook coordinator",
      version: "1",
      description: `Runs of agents, with hooks. Refusals are problems with one of these codes: ${Object.keys(PROBLEMS).join(", ")}.`,
    },
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: schemas.all(),
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "tenterhook" },
      },
    },
  };
}

function described(operation: Operation, schemas: NamedSchemas): JsonSchema {
  const { summary, permission, params, query, headers, body, responses } = operation;
  const scopes = permission === "anyone" ? [] : PERMISSIONS[permission];
  const parameters = [
    ...describeParameters(params, "path"),
    ...describeParameters(query, "query"),
    ...Object.entries(headers ?? {}).map(([name, description]) => ({
      name,
      in: "header",
      description,
      schema: { type: "string" },
    })),
  ];
  return {
    operationId: operationId(operation),
    summary,
    description: scopes.length === 0 ? "Needs no token." : `Scopes: ${scopes.join(", ")}.`,
    tags: [operation.path.split("/")[1]],
    ...(permission === "anyone" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { content: { "application/json": { schema: schemas.reference(body) } } },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, describeResponse(response, schemas)]),
      ),
      default: {
        description: "A refusal",
        content: { "application/problem+json": { schema: schemas.reference(problem) } },
      },
    },
  };
}

function describeResponse(response: Operation["responses"][number], schemas: NamedSchemas): JsonSchema {
  if (response === "nothing") return { description: "Nothing more" };
  if (!(response instanceof z.ZodType)) return { description: "Text", content: { [response.mediaType]: {} } };
  return {
    description: response.description ?? "Done",
    content: { "application/json": { schema: schemas.reference(response) } },
  };
}

function describeParameters(schema: z.ZodType | undefined, location: "path" | "query"): JsonSchema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: location,
    required: location === "path" || required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

/** `postRunnerRunsCompleted` for `POST /runner/runs/{id}/completed`. */
function operationId({ method, path }: Operation): string {
  const words = path.split(/[/{}._-]+/).filter((word) => word !== "");
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
