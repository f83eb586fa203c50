import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { IconDeviceFloppy } from "@tabler/icons-react";
import { useId } from "react";
import { errorMessage } from "../components/error-message.ts";
import type { FieldProblem } from "./problems.ts";
import classes from "./save-bar.module.css";
import type { Editing } from "./use-editing.ts";

interface Props {
  readonly editing: Editing;
  readonly isNew: boolean;
  readonly fieldName: (path: string) => string;
  /** Focuses a field. */
  readonly goTo: (problem: FieldProblem) => void;
}

const MAX_LISTED = 3;

/** The save button, and the reasons why it is disabled. */
export function SaveBar({ editing, isNew, fieldName, goTo }: Props) {
  const { problems, isEdited, isSaving, refusal, failure, showsMissing } = editing;
  const reasonId = useId();
  const isWrong = problems.length > 0;
  const isDisabled = isWrong || (!isEdited && !isNew);
  const state = isNew ? "Not saved yet" : isEdited ? "Unsaved changes" : "All changes saved";
  return (
    <Group className={classes.bar} justify="space-between" gap="sm" role="region" aria-label="Saving">
      <Stack gap={2} id={reasonId} className={classes.reason} role="status">
        {!isWrong && refusal === undefined && failure === null && <Text size="sm">{state}</Text>}
        {failure !== null && (
          <Text size="sm" className={classes.wrong}>
            {errorMessage(failure)}
          </Text>
        )}
        {refusal !== undefined && !isWrong && (
          <Text size="sm" className={classes.wrong}>
            Not saved. {refusal.path === undefined ? "" : `${fieldName(refusal.path)}: `}
            {refusal.message}
          </Text>
        )}
        {isWrong && (
          <Text size="sm">
            {problems.every(({ isMissing }) => isMissing) ? "Required before saving: " : "Cannot be saved: "}
            {problems.slice(0, MAX_LISTED).map((problem, index) => (
              <span key={problem.path}>
                {index > 0 && "; "}
                <Anchor component="button" type="button" size="sm" onClick={() => goTo(problem)}>
                  {fieldName(problem.path)}
                </Anchor>{" "}
                {problem.isMissing ? "is required" : `(${problem.message})`}
              </span>
            ))}
            {problems.length > MAX_LISTED && ` and ${problems.length - MAX_LISTED} more`}
          </Text>
        )}
      </Stack>
      <Group gap="xs">
        {isEdited && !isNew && (
          <Button variant="default" onClick={editing.discard} disabled={isSaving}>
            Discard
          </Button>
        )}
        <Button
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          loading={isSaving}
          // It looks and is announced as disabled, but can be pressed: then the first problem is focused.
          {...(isDisabled && { "data-disabled": true })}
          aria-disabled={isDisabled}
          aria-describedby={isDisabled ? reasonId : undefined}
          onClick={() => {
            if (!isDisabled) return editing.save();
            if (!showsMissing) editing.showMissing();
            const [first] = problems;
            if (first !== undefined) goTo(first);
          }}
        >
          {isNew ? "Create" : "Save"}
        </Button>
      </Group>
    </Group>
  );
}
