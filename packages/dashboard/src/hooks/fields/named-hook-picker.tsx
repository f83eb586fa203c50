import { Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { DEFAULT_HOOK_SECONDS, type RunHookDefinition } from "@tenterhook/protocol/runs";
import { queries } from "../../api/queries.ts";
import { errorMessage } from "../../components/error-message.ts";
import { AnchorLink } from "../../components/router-links.ts";
import { useField } from "../../editing/editor-context.ts";

/** Chooses a named hook. */
export function NamedHookPicker({ path }: { readonly path: string }) {
  const { id, value, error, readOnly, set } = useField(`${path}.$ref`);
  const { data, error: failure } = useQuery(queries.hooks());
  const chosen = typeof value === "string" && value !== "" ? value : null;
  const names = (data ?? []).map(({ name }) => name);
  const hook = data?.find(({ name }) => name === chosen);
  const isUnknown = data !== undefined && chosen !== null && hook === undefined;
  return (
    <>
      <Select
        id={id}
        label="Named hook"
        description="Shared by several agents. A change applies to all of them."
        placeholder={data === undefined ? "Loading hooks…" : "Choose a hook"}
        withAsterisk
        searchable
        allowDeselect={false}
        nothingFoundMessage={names.length === 0 ? "No named hooks yet" : "No matching hooks"}
        data={chosen === null || names.includes(chosen) ? names : [...names, chosen]}
        value={chosen}
        error={
          error ??
          (isUnknown ? `Hook "${chosen}" does not exist` : undefined) ??
          (failure && errorMessage(failure))
        }
        readOnly={readOnly}
        onChange={set}
      />
      {hook !== undefined && (
        <Text size="sm" mt="xs">
          {definitionSummary(hook.definition)}{" "}
          <AnchorLink to="/hooks/$name" params={{ name: hook.name }} size="sm">
            Open
          </AnchorLink>
        </Text>
      )}
    </>
  );
}

/** A definition in one sentence. */
function definitionSummary(definition: RunHookDefinition): string {
  const target = definition.type === "agent" ? `the agent ${definition.agent_name}` : definition.url;
  const onFailure = definition.on_error === "block" ? "blocks on failure" : "continues on failure";
  return `Calls ${target}, ${onFailure}, timeout ${definition.timeout_seconds ?? DEFAULT_HOOK_SECONDS} s.`;
}
