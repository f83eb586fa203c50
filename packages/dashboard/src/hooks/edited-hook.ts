import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { NamedHook, RunHookDefinition } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import { queries } from "../api/queries.ts";
import type { EditTarget, SavedVersion } from "../editing/edit-target.ts";
import { FRESH_HOOK } from "./fields/hook-choice.ts";
import { definitionOf, hookProblems, normalHook } from "./hook-problems.ts";

const BLANK = { name: "", ...FRESH_HOOK };

export const hookAddress = (name: string) => `/hooks/${name}`;

/** A named hook that was saved; its name is not a part of the version. */
interface SavedHook {
  readonly name: string;
  readonly saved: SavedVersion;
  readonly isDeleted: boolean;
}

/** What the editor needs of a named hook; `hook` is undefined for a new one, whose name is part of the draft. */
export function useEditedHook(hook: SavedHook | undefined): EditTarget {
  const client = useQueryClient();
  const navigate = useNavigate();
  return {
    address: hook === undefined ? "/new-hook" : hookAddress(hook.name),
    saved: hook?.saved,
    isDeleted: hook?.isDeleted ?? false,
    blank: BLANK,
    problems: (value) => hookProblems(value, hook === undefined),
    // The name of a new hook is part of the draft.
    normal: hook === undefined ? (value) => value : normalHook,
    async save(value, headers) {
      const name = hook?.name ?? String(value.name);
      // The draft was checked against the same schema; the coordinator checks it again.
      const body = definitionOf(value) as unknown as RunHookDefinition;
      await client.cancelQueries({ queryKey: queries.hook(name).queryKey });
      const now = await call("PUT /hooks/{name}", { params: { name }, body, headers });
      client.setQueryData(queries.hook(name).queryKey, now);
      return { ...savedHook(now), value: hook === undefined ? { name, ...now.definition } : now.definition };
    },
    reread: () => client.fetchQuery({ ...queries.hook(hook?.name ?? ""), staleTime: 0 }),
    onSaved({ value }, isNew) {
      const name = hook?.name ?? String(value.name);
      void client.invalidateQueries({ queryKey: ["hooks"] });
      void client.invalidateQueries({ queryKey: ["hooks-in-use"] });
      void client.invalidateQueries({ queryKey: ["agents"] });
      notifications.show({ message: `Hook ${name} saved` });
      if (isNew) void navigate({ to: "/hooks/$name", params: { name } });
    },
  };
}

/** The version of a hook that the editor begins from. */
export function savedHook({ definition, etag, updated_at }: NamedHook): SavedVersion {
  return { value: normalHook(definition), etag, updatedAt: updated_at };
}
