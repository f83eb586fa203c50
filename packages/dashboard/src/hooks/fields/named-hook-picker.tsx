import { Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { useField } from "../../editing/editor-context.ts";
import { AnchorLink } from "../../parts/router-links.ts";
import { definitionWords } from "./definition-words.ts";

/** One of the hooks that have a name. */
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
        description="Defined once, used by many agents. When it changes, it changes for all of them."
        placeholder={data === undefined ? "Reading the hooks…" : "Choose a hook"}
        withAsterisk
        searchable
        allowDeselect={false}
        nothingFoundMessage={names.length === 0 ? "No hook has a name yet" : "No hook of this name"}
        data={chosen === null || names.includes(chosen) ? names : [...names, chosen]}
        value={chosen}
        error={error ?? (isUnknown ? `There is no hook named "${chosen}"` : undefined) ?? failure?.message}
        readOnly={readOnly}
        onChange={set}
      />
      {hook !== undefined && (
        <Text size="sm" mt="xs">
          {definitionWords(hook.definition)}{" "}
          <AnchorLink to="/hooks/$name" params={{ name: hook.name }} size="sm">
            Open it
          </AnchorLink>
        </Text>
      )}
    </>
  );
}
