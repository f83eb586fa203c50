import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { JsonField } from "../parts/json-field.tsx";
import { messageOf } from "../parts/problem-words.ts";

interface Props {
  readonly field: string;
  readonly value: unknown;
  /** What the coordinator had against what was written. */
  readonly problem: unknown;
  readonly isPending: boolean;
  readonly onEdit: (value: Record<string, unknown>) => void;
  readonly onCancel: () => void;
}

/** Yes, but with other values. */
export function EditForm({ field, value, problem, isPending, onEdit, onCancel }: Props) {
  const [edited, setEdited] = useState(value);
  const [isJson, setIsJson] = useState(true);
  const isRecord = typeof edited === "object" && edited !== null && !Array.isArray(edited);
  const complaint = problem === undefined ? undefined : messageOf(problem);
  const error = isRecord ? complaint : "It must be an object: { … }";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isJson && isRecord) onEdit(edited as Record<string, unknown>);
      }}
    >
      <Stack gap="xs">
        <JsonField
          label={`New ${field}`}
          description="The run goes on with these instead."
          value={edited}
          onChange={setEdited}
          onValidity={setIsJson}
          minRows={4}
          {...(error !== undefined && { error })}
        />
        <Group gap="xs">
          <Button type="submit" size="sm" loading={isPending} disabled={!isJson || !isRecord}>
            Approve with these
          </Button>
          <Button size="sm" variant="default" onClick={onCancel} disabled={isPending}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
