import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { AgentRecord, BlueprintInput } from "@tenterhook/protocol/runs";
import { call } from "../../api/call.ts";
import { queries } from "../../api/queries.ts";
import type { EditTarget, SavedVersion } from "../../editing/edit-target.ts";
import type { JsonObject } from "../../editing/json-object.ts";
import { blueprintProblems, normalBlueprint } from "./blueprint-problems.ts";

const BLANK: JsonObject = { name: "", type: "autonomous" };

export const agentAddress = (name: string) => `/agents/${name}`;

/** What the editor needs of an agent; `saved` is undefined for a new one. */
export function useEditedAgent(saved: SavedVersion | undefined, isDeleted = false): EditTarget {
  const client = useQueryClient();
  const navigate = useNavigate();
  const savedName = saved && String(saved.value.name);
  return {
    address: savedName === undefined ? "/new-agent" : agentAddress(savedName),
    saved,
    isDeleted,
    blank: BLANK,
    problems: (value) => blueprintProblems(value, savedName),
    normal: normalBlueprint,
    async save(value, headers) {
      // The draft was checked against the same schema; the coordinator checks it again.
      const body = value as unknown as BlueprintInput;
      const { name } = body;
      await client.cancelQueries({ queryKey: queries.agent(name).queryKey });
      const now = await call("PUT /agents/{name}", { params: { name }, body, headers });
      client.setQueryData(queries.agent(name).queryKey, now);
      return savedAgent(now);
    },
    reread: () => client.fetchQuery({ ...queries.agent(savedName ?? ""), staleTime: 0 }),
    onSaved({ value }, isNew) {
      const name = String(value.name);
      void client.invalidateQueries({ queryKey: ["agents"] });
      void client.invalidateQueries({ queryKey: ["hooks"] });
      const revision = client.getQueryData(queries.agent(name).queryKey)?.revision;
      notifications.show({ message: `${name} saved as revision ${revision}` });
      if (isNew) {
        void navigate({
          to: "/agents/$name",
          params: { name },
          search: ({ tab }) => ({ tab }),
        });
      }
    },
  };
}

/** The version of an agent that the editor begins from. */
export function savedAgent({ blueprint, etag, updated_at }: AgentRecord): SavedVersion {
  // The database does not keep the order of fields; show them in the order of the schema.
  return { value: normalBlueprint(blueprint), etag, updatedAt: updated_at };
}
