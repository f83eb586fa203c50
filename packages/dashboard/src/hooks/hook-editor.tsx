import { Alert, Stack } from "@mantine/core";
import { Disclosure } from "../components/disclosure.tsx";
import { EditNotices } from "../editing/edit-notices.tsx";
import type { EditTarget } from "../editing/edit-target.ts";
import { EditorProvider } from "../editing/editor-context.ts";
import { TextField } from "../editing/fields.tsx";
import { focusField } from "../editing/focus-field.ts";
import { RevisionHistory } from "../editing/history/revision-history.tsx";
import { SaveBar } from "../editing/save-bar.tsx";
import { useEditing } from "../editing/use-editing.ts";
import { HookFields } from "./fields/hook-fields.tsx";
import { normalHook } from "./hook-problems.ts";

interface Props {
  /** Of a hook that was saved. */
  readonly name?: string;
  readonly edited: EditTarget;
  readonly mayChange: boolean;
}

/** Edits a named hook, with the same fields as an inline hook. */
export function HookEditor({ name, edited, mayChange }: Props) {
  const editing = useEditing(edited, mayChange);
  const { draft, change, problems, refusal, showsMissing } = editing;
  const isNew = edited.saved === undefined;
  return (
    <EditorProvider value={{ draft, change, problems, refusal, showsMissing, isReadOnly: !mayChange }}>
      <EditNotices editing={editing} edited={edited} mayChange={mayChange} />
      <Stack gap="lg" maw={860}>
        {refusal !== undefined && refusal.path === undefined && (
          <Alert color="red" variant="outline" role="alert" title="Refused by the coordinator">
            {refusal.message}
          </Alert>
        )}
        {isNew && (
          <TextField
            path="name"
            label="Name"
            description="Agents refer to the hook by its name. It cannot be changed later."
            placeholder="audit"
            isRequired
          />
        )}
        <HookFields path="" type={undefined} />
        {name !== undefined && !isNew && !edited.isDeleted && (
          <Disclosure label="History">
            <RevisionHistory
              subject={{ kind: "hooks", name, normal: normalHook }}
              isEdited={editing.isEdited}
              onRestored={() => focusField("on_error")}
            />
          </Disclosure>
        )}
      </Stack>
      {mayChange && (
        <SaveBar
          editing={editing}
          isNew={isNew}
          fieldName={(path) => path.replaceAll("_", " ")}
          goTo={({ path }) => focusField(path)}
        />
      )}
    </EditorProvider>
  );
}
