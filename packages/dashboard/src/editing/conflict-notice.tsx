import { Alert, Button, Group, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { ConflictDialog } from "./conflict-dialog.tsx";
import type { Edited, Editing } from "./use-editing.ts";

/** Tells whoever writes that others have saved or deleted what they write on. */
export function ConflictNotice({
  editing,
  normal,
}: {
  readonly editing: Editing;
  readonly normal: Edited["normal"];
}) {
  const { base, newer, isGone, draft } = editing;
  if (isGone) {
    return (
      <Alert
        color="yellow"
        variant="outline"
        mb="md"
        icon={<IconUsers aria-hidden />}
        title="It was deleted meanwhile"
        role="alert"
      >
        <Text size="sm" mb="xs">
          Your version is still here. You can save it anew, or leave it deleted.
        </Text>
        <Button size="xs" variant="default" onClick={editing.saveAsNew} loading={editing.isSaving}>
          Save it anew
        </Button>
      </Alert>
    );
  }
  if (newer === undefined || base === undefined) return null;
  return (
    <Alert
      color="yellow"
      variant="outline"
      mb="md"
      icon={<IconUsers aria-hidden />}
      title="Somebody else saved a change meanwhile"
      role="alert"
    >
      <Text size="sm" mb="xs">
        Yours is not saved yet, and will not overwrite theirs.
      </Text>
      <Group gap="xs">
        <Button size="xs" onClick={() => editing.compare(true)}>
          See the differences
        </Button>
        <Button size="xs" variant="default" onClick={editing.takeTheirs}>
          Take theirs
        </Button>
      </Group>
      <ConflictDialog
        isOpen={editing.isComparing}
        close={() => editing.compare(false)}
        base={normal(base.value)}
        mine={normal(draft.value)}
        theirs={normal(newer.value)}
        takeTheirs={editing.takeTheirs}
        putOnTop={editing.putOnTop}
      />
    </Alert>
  );
}
