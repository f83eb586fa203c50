import { CLIENT_METHODS } from "./client-methods.ts";
import { jsonSchema, type OpenApiDocument, type Operation } from "./openapi-document.ts";

/** The classes of the client's requests, one for each kind of thing. Throws for an operation whose method is not listed. */
export function clientRequests(document: OpenApiDocument): string {
  const classes = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    if (path.startsWith("/runner/")) continue;
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const clientMethod = CLIENT_METHODS[name];
      if (clientMethod === undefined) {
        throw new Error(
          `${name} has no method of the client yet. Add it to scripts/generate/client-methods.ts.`,
        );
      }
      if (clientMethod === null) continue;
      const [kind = "", called = ""] = clientMethod.split(".");
      const text = formatMethod(document, name, called, operation);
      classes.set(kind, [...(classes.get(kind) ?? []), text]);
    }
  }
  return `import type { HttpClient } from "../http-client.ts";
import type { Body, Input, OperationName, Query, RequestOptions, ResponseOf } from "../operation-input.ts";

/** The options of a request beside its path and body. */
type Options<O extends OperationName> = Omit<Input<O>, "params" | "body">;

class Requests {
  protected readonly client: HttpClient;

  constructor(client: HttpClient) {
    this.client = client;
  }
}
${[...classes].map(([kind, methods]) => formatClass(kind, methods)).join("")}`;
}

function formatClass(kind: string, methods: readonly string[]): string {
  const singular = kind.replace(/(?<!s)s$/, "");
  const name = kind === "access" ? kind : singular;
  return `
/** The requests of \`client.${kind}\`. */
export class ${name.charAt(0).toUpperCase()}${name.slice(1)}Requests extends Requests {
${methods.join("\n\n")}
}
`;
}

/** A method takes the parameters of the path, then the body or else the query, then options. */
function formatMethod(
  { components }: OpenApiDocument,
  operation: string,
  name: string,
  { summary, parameters = [], requestBody }: Operation,
): string {
  const params = parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name);
  const query = parameters.filter((parameter) => parameter.in === "query");
  const body = requestBody && jsonSchema(requestBody);
  const bodySchema = components.schemas[body?.$ref?.split("/").at(-1) ?? ""] ?? body;
  const isBodyOptional = bodySchema?.type === "object" && (bodySchema.required ?? []).length === 0;
  const isQueryOptional = query.every(({ required }) => !required);
  const quoted = `"${operation}"`;
  const args = params.map((param) => `${param}: string`);
  const input = params.length === 0 ? [] : [`params: { ${params.join(", ")} }`];
  if (body !== undefined) {
    args.push(`body: Body<${quoted}>${isBodyOptional ? " = {}" : ""}`, `options: Options<${quoted}> = {}`);
    input.push("body");
  } else if (query.length > 0) {
    args.push(`query: Query<${quoted}>${isQueryOptional ? " = {}" : ""}`, "options: RequestOptions = {}");
    input.push("query");
  } else {
    args.push("options: RequestOptions = {}");
  }
  const sent = input.length === 0 ? "options" : `{ ...options, ${input.join(", ")} }`;
  return `  /** ${summary}. */
  ${name}(${args.join(", ")}): Promise<ResponseOf<${quoted}>> {
    return this.client.send(${quoted}, ${sent});
  }`;
}
