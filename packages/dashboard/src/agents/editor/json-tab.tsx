import { Stack, Text } from "@mantine/core";
import { invalidTexts } from "../../editing/draft.ts";
import { useEditor } from "../../editing/editor-context.ts";
import { JsonTextField } from "../../editing/json-text-field.tsx";

/** The blueprint as JSON. */
export function JsonTab() {
  const { draft, problems } = useEditor();
  const invalid = invalidTexts(draft).filter(({ path }) => path !== "");
  const shown = problems.filter(({ isMissing, path }) => !isMissing && path !== "");
  return (
    <Stack gap="sm">
      {invalid.length > 0 && (
        <Text size="sm" role="status">
          The text in {invalid.map(({ path }) => path).join(", ")} is not valid JSON. It is kept in the form
          and not included here.
        </Text>
      )}
      <JsonTextField
        path=""
        label="Blueprint"
        description="Changes here also appear in the form."
        minRows={20}
      />
      {shown.length > 0 && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {shown.map(({ path, message }) => `${path}: ${message}`).join("; ")}
        </Text>
      )}
    </Stack>
  );
}
