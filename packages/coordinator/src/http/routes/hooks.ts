import { hooksPage, namedHook, nameParameter, pageQuery, runHookDefinition } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { deleteNamedHook, saveNamedHook } from "../../agents/named-hooks.ts";
import { listNamedHooks, showNamedHook } from "../../lists/named-hook-list.ts";
import { Problem } from "../../problem.ts";
import { ETAG_HEADERS, expectedOf, isKnown } from "../etag.ts";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

/** Hooks that have a name, for many agents to use. */
export function hooks({ coordinator: { database } }: Services): Operation[] {
  const list = operation(
    {
      method: "get",
      path: "/hooks",
      permission: "look",
      summary: "List named hooks, with who uses them and how they do",
      query: pageQuery,
      answers: { 200: hooksPage },
    },
    async ({ query }) => ({ status: 200, body: await listNamedHooks(database, query) }),
  );

  const read = operation(
    {
      method: "get",
      path: "/hooks/{name}",
      permission: "look",
      summary: "Read a named hook",
      params: nameParameter,
      headers: { "If-None-Match": "the etag that you have" },
      answers: { 200: namedHook, 304: "nothing" },
    },
    async ({ params: { name }, incoming }) => {
      const body = await view(name);
      const headers = { etag: body.etag };
      return isKnown(incoming, body.etag) ? { status: 304, headers } : { status: 200, body, headers };
    },
  );

  const save = operation(
    {
      method: "put",
      path: "/hooks/{name}",
      permission: "define",
      summary: "Save a hook under a name, for blueprints to refer to",
      params: nameParameter,
      headers: ETAG_HEADERS,
      body: runHookDefinition,
      bodyProblem: "bad_hook",
      answers: { 200: namedHook.describe("replaced"), 201: namedHook },
    },
    async ({ params: { name }, body, incoming }) => {
      const { hook, isNew } = await database.transaction((queries) =>
        saveNamedHook(queries, name, body, expectedOf(incoming)),
      );
      const headers = { etag: hook.etag, location: `/hooks/${name}` };
      return { status: isNew ? 201 : 200, body: await view(name), headers };
    },
  );

  const remove = operation(
    {
      method: "delete",
      path: "/hooks/{name}",
      permission: "define",
      summary: "Delete a named hook that no agent uses",
      params: nameParameter,
      headers: { "If-Match": ETAG_HEADERS["If-Match"] },
      answers: { 204: "nothing" },
    },
    async ({ params: { name }, incoming }) => {
      await database.transaction((queries) => deleteNamedHook(queries, name, expectedOf(incoming)));
      return { status: 204 };
    },
  );

  async function view(name: string): Promise<z.input<typeof namedHook>> {
    const hook = await showNamedHook(database, name);
    if (hook === undefined) throw new Problem("not_found", `there is no hook named "${name}"`);
    return hook;
  }

  return [list, read, save, remove];
}
