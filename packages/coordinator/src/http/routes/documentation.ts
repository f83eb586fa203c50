import { openApiDocument } from "../openapi.ts";
import { type Operation, operation, SENT } from "../operation.ts";

/** The OpenAPI document. */
export function documentation(operations: readonly Operation[]): Operation[] {
  let text: string | undefined;

  const openApi = operation(
    "GET /openapi.json",
    {
      permission: "anyone",
      summary: "Read this description",
      responses: { 200: { mediaType: "application/json" } },
    },
    async ({ outgoing }) => {
      text ??= JSON.stringify(openApiDocument([...operations, openApi]), undefined, 2);
      outgoing.writeHead(200, { "content-type": "application/json", "cache-control": "no-cache" }).end(text);
      return SENT;
    },
  );

  return [openApi];
}
