import { Button, Group, Stack } from "@mantine/core";
import { isRecord } from "@tenterhook/internal";
import { useState } from "react";
import { errorMessage } from "../components/error-message.ts";
import { JsonField } from "../components/json-field.tsx";
import { SteadyButton } from "./steady-button.tsx";
import type { Steady } from "./use-steady.ts";

interface Props {
  readonly field: string;
  readonly value: unknown;
  /** Why the coordinator refused the value. */
  readonly problem: unknown;
  readonly isPending: boolean;
  readonly steady: Steady;
  readonly onEdit: (value: Record<string, unknown>) => void;
  readonly onCancel: () => void;
}

/** Approves with changed values. */
export function EditForm({ field, value, problem, isPending, steady, onEdit, onCancel }: Props) {
  const [edited, setEdited] = useState(value);
  const [isJson, setIsJson] = useState(true);
  const isObject = isRecord(edited);
  const refusal = problem === undefined ? undefined : errorMessage(problem);
  const error = isObject ? refusal : "Must be a JSON object: { … }";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isJson && isObject) onEdit(edited);
      }}
    >
      <Stack gap="xs">
        <JsonField
          label={`New ${field}`}
          description="The run continues with these values."
          value={edited}
          onChange={setEdited}
          onValidity={setIsJson}
          minRows={4}
          {...(error !== undefined && { error })}
        />
        <Group gap="xs">
          <SteadyButton
            type="submit"
            size="sm"
            steady={steady}
            loading={isPending}
            disabled={!isJson || !isObject}
          >
            Approve with changes
          </SteadyButton>
          <Button size="sm" variant="default" onClick={onCancel} disabled={isPending}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
