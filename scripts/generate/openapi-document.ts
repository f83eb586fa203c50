import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveCoordinator } from "@tenterhook/coordinator";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly summary: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The API's document, as far as the client is made of it. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Reads the document of a coordinator that is started for it. */
export async function openApiDocument(): Promise<OpenApiDocument> {
  const folder = await mkdtemp(join(tmpdir(), "tenterhook-generate-"));
  const served = await serveCoordinator({ folder, port: 0 });
  try {
    const response = await fetch(`${served.url}/openapi.json`);
    return (await response.json()) as OpenApiDocument;
  } finally {
    await served.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The schema of a body or a response; `undefined` for one that is not JSON. */
export function jsonSchema({ content }: Content): Schema | undefined {
  return content?.["application/json"]?.schema;
}
