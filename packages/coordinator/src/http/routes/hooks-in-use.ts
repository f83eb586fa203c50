import { hooksInUsePage, hooksInUseQuery } from "@tenterhook/protocol/runs";
import { maskedHook, seesHeaders } from "../../agents/masked-headers.ts";
import { listHooksInUse } from "../../lists/hooks-in-use.ts";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

/** Every hook in use, wherever it is defined. */
export function hooksInUse({ coordinator: { database } }: Services): Operation[] {
  const list = operation(
    "GET /hooks-in-use",
    {
      permission: "read",
      summary:
        "List every hook in use, with its results: named hooks, hooks of blueprints, and hooks that acted on runners",
      query: hooksInUseQuery,
      responses: { 200: hooksInUsePage },
    },
    async ({ query, identity }) => {
      const { hooks, next_cursor } = await listHooksInUse(database, query);
      const seen = seesHeaders(identity.scope)
        ? hooks
        : hooks.map((hook) => ({ ...hook, definition: hook.definition && maskedHook(hook.definition) }));
      return { status: 200, body: { hooks: seen, next_cursor } };
    },
  );
  return [list];
}
