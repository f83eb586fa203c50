import {
  hooksPage,
  type NamedHook,
  namedHook,
  nameParameter,
  pageQuery,
  runHookDefinition,
} from "@tenterhook/protocol/runs";
import type { Identity } from "../../access/known-tokens.ts";
import { checkTarget } from "../../agents/check-target.ts";
import { checkUnmasked, maskedHook, seesHeaders } from "../../agents/masked-headers.ts";
import { deleteNamedHook, saveNamedHook } from "../../agents/named-hooks.ts";
import { etagOf } from "../../agents/save-agent.ts";
import { listNamedHooks, showNamedHook } from "../../lists/named-hook-list.ts";
import { Problem, requireFound } from "../../problem.ts";
import { ETAG_HEADERS, expectedOf, isKnown } from "../etag.ts";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

/** Hooks that have a name, for many agents to use. */
export function hooks({ coordinator, allowsAddress }: Services): Operation[] {
  const { database } = coordinator;

  const list = operation(
    "GET /hooks",
    {
      permission: "read",
      summary: "List named hooks, with their users and recent results",
      query: pageQuery,
      responses: { 200: hooksPage },
    },
    async ({ query, identity }) => {
      const page = await listNamedHooks(database, query);
      return { status: 200, body: { ...page, hooks: page.hooks.map((hook) => maskHeaders(hook, identity)) } };
    },
  );

  const read = operation(
    "GET /hooks/{name}",
    {
      permission: "read",
      summary: "Read a named hook",
      params: nameParameter,
      headers: { "If-None-Match": "the etag that you have" },
      responses: { 200: namedHook, 304: "nothing" },
    },
    async ({ params: { name }, identity, incoming }) => {
      const body = maskHeaders(await view(name), identity);
      const headers = { etag: body.etag };
      return isKnown(incoming, body.etag) ? { status: 304, headers } : { status: 200, body, headers };
    },
  );

  const save = operation(
    "PUT /hooks/{name}",
    {
      permission: "define",
      summary: "Save a hook under a name, for blueprints to refer to",
      params: nameParameter,
      headers: ETAG_HEADERS,
      body: runHookDefinition,
      bodyProblem: "bad_hook",
      completeBody: withoutName,
      responses: { 200: namedHook.describe("replaced"), 201: namedHook },
    },
    async ({ params: { name }, body, identity, incoming }) => {
      checkUnmasked(body, "", "bad_hook");
      checkTarget(body, "", "bad_hook", allowsAddress);
      const { hook, isNew } = await database.transaction((queries) =>
        saveNamedHook(queries, name, body, expectedOf(incoming), identity.name),
      );
      coordinator.wake("events");
      const headers = { etag: hook.etag, location: `/hooks/${name}` };
      return { status: isNew ? 201 : 200, body: await view(name), headers };
    },
  );

  const remove = operation(
    "DELETE /hooks/{name}",
    {
      permission: "define",
      summary: "Delete a named hook that no agent uses",
      params: nameParameter,
      headers: { "If-Match": ETAG_HEADERS["If-Match"] },
      responses: { 204: "nothing" },
    },
    async ({ params: { name }, identity, incoming }) => {
      const expected = expectedOf(incoming);
      await database.transaction((queries) => deleteNamedHook(queries, name, expected, identity.name));
      coordinator.wake("events");
      return { status: 204 };
    },
  );

  async function view(name: string): Promise<NamedHook> {
    return requireFound(await showNamedHook(database, name), "hook named", name);
  }

  return [list, read, save, remove];
}

/** A definition may repeat the name that its address has. */
function withoutName(body: object, { name: expected }: Readonly<Record<string, string>>): object {
  if (!("name" in body)) return body;
  const { name, ...definition } = body;
  if (name === expected) return definition;
  const detail = `it is the definition of ${JSON.stringify(name)}: save it under that name, or leave the field out`;
  throw new Problem("bad_hook", detail, { field: "name" });
}

/** A hook as a scope may see it. With hidden values it has an etag of its own, which does not depend on them. */
function maskHeaders(hook: NamedHook, { scope }: Identity): NamedHook {
  if (seesHeaders(scope)) return hook;
  const definition = maskedHook(hook.definition);
  return { ...hook, definition, etag: etagOf(definition) };
}
