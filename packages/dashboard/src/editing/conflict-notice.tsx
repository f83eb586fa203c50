import { Alert, Button, Group, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import type { PropsWithChildren } from "react";
import { ConflictDialog } from "./conflict-dialog.tsx";
import type { EditTarget } from "./edit-target.ts";
import type { Editing } from "./use-editing.ts";

/** Shown when another user saved or deleted the edited object. */
export function ConflictNotice({
  editing,
  normal,
  mayChange,
}: {
  readonly editing: Editing;
  readonly normal: EditTarget["normal"];
  readonly mayChange: boolean;
}) {
  const { base, newer, isGone, draft } = editing;
  if (isGone) {
    return (
      <Notice title="This was deleted" text={goneText(editing.isEdited, mayChange)}>
        {mayChange && (
          <Button size="xs" variant="default" onClick={editing.saveAsNew} loading={editing.isSaving}>
            Create again
          </Button>
        )}
      </Notice>
    );
  }
  if (newer === undefined || base === undefined) return null;
  return (
    <Notice
      title="A newer version was saved"
      text="Your changes are not saved yet. They do not overwrite the newer version."
    >
      <Group gap="xs">
        <Button size="xs" onClick={() => editing.compare(true)}>
          Compare
        </Button>
        <Button size="xs" variant="default" onClick={editing.takeTheirs}>
          Use saved version
        </Button>
      </Group>
      <ConflictDialog
        isOpen={editing.isComparing}
        close={() => editing.compare(false)}
        base={normal(base.value)}
        mine={normal(draft.value)}
        theirs={normal(newer.value)}
        takeTheirs={editing.takeTheirs}
        applyToTheirs={editing.applyToTheirs}
      />
    </Notice>
  );
}

function Notice({
  title,
  text,
  children,
}: PropsWithChildren<{ readonly title: string; readonly text: string }>) {
  return (
    <Alert
      color="yellow"
      variant="outline"
      mb="md"
      icon={<IconUsers aria-hidden />}
      title={title}
      role="alert"
    >
      <Text size="sm" mb="xs">
        {text}
      </Text>
      {children}
    </Alert>
  );
}

function goneText(isEdited: boolean, mayChange: boolean): string {
  const kept = isEdited ? "Your changes are kept." : "This page shows the last version.";
  return mayChange ? `${kept} You can create it again.` : kept;
}
