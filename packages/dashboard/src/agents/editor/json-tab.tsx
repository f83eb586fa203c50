import { Stack, Text } from "@mantine/core";
import { unreadTexts } from "../../editing/draft.ts";
import { useEditor } from "../../editing/editor-context.ts";
import { JsonTextField } from "../../editing/json-text-field.tsx";

/** The blueprint as it is sent, to be read, copied and written. */
export function JsonTab() {
  const { draft, problems } = useEditor();
  const unread = unreadTexts(draft).filter(({ path }) => path !== "");
  const told = problems.filter(({ isMissing, path }) => !isMissing && path !== "");
  return (
    <Stack gap="sm">
      {unread.length > 0 && (
        <Text size="sm" role="status">
          What you wrote in {unread.map(({ path }) => path).join(", ")} is no JSON yet. It waits in the form,
          and is not part of this.
        </Text>
      )}
      <JsonTextField
        path=""
        label="Blueprint"
        description="The same as in the form: what you change here is changed there."
        minRows={20}
      />
      {told.length > 0 && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {told.map(({ path, message }) => `${path}: ${message}`).join("; ")}
        </Text>
      )}
    </Stack>
  );
}
