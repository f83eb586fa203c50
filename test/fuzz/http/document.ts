import type { Schema, Schemas } from "./schema-values.ts";

/** An operation of the coordinator, as its own document describes it. */
export interface DocumentedOperation {
  readonly method: string;
  /** With `{id}` where an id goes. */
  readonly path: string;
  /** The scopes that may use it; `undefined` if no token is needed. */
  readonly scopes: readonly string[] | undefined;
  readonly parameters: readonly DocumentedParameter[];
  readonly body: Schema | undefined;
}

export interface DocumentedParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

interface OperationObject {
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface ApiDocument {
  readonly operations: readonly DocumentedOperation[];
  readonly schemas: Schemas;
}

/** Reads `/openapi.json`. */
export async function readDocument(url: string): Promise<ApiDocument> {
  const response = await fetch(`${url}/openapi.json`);
  const { paths, components } = (await response.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
    readonly components: { readonly schemas: Schemas };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      scopes: scopesOf(operation),
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content["application/json"]?.schema,
    })),
  );
  return { operations, schemas: components.schemas };
}

function scopesOf({ description, security }: OperationObject): readonly string[] | undefined {
  if (security?.length === 0) return undefined;
  const [, list = ""] = /Scopes: ([\w, ]+)\./.exec(description) ?? [];
  return list.split(", ");
}
