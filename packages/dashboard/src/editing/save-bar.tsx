import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { IconDeviceFloppy } from "@tabler/icons-react";
import { useId } from "react";
import { messageOf } from "../parts/problem-words.ts";
import type { FieldProblem } from "./problems.ts";
import classes from "./save-bar.module.css";
import type { Editing } from "./use-editing.ts";

interface Props {
  readonly editing: Editing;
  readonly isNew: boolean;
  readonly fieldName: (path: string) => string;
  /** Brings people to a field. */
  readonly goTo: (problem: FieldProblem) => void;
}

const MOST_TOLD = 3;

/** Saves; and says why not, where not. */
export function SaveBar({ editing, isNew, fieldName, goTo }: Props) {
  const { problems, isEdited, isSaving, refusal, failure, hasTried } = editing;
  const reasonId = useId();
  const isWrong = problems.length > 0;
  const isDisabled = isWrong || (!isEdited && !isNew);
  const state = isNew ? "Not saved yet" : isEdited ? "There are unsaved changes" : "Everything is saved";
  return (
    <Group className={classes.bar} justify="space-between" gap="sm" role="region" aria-label="Saving">
      <Stack gap={2} id={reasonId} className={classes.reason} role="status">
        {!isWrong && refusal === undefined && failure === null && <Text size="sm">{state}</Text>}
        {failure !== null && (
          <Text size="sm" className={classes.wrong}>
            {messageOf(failure)}
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
            {problems.every(({ isMissing }) => isMissing)
              ? "Before it can be saved: "
              : "Cannot be saved yet: "}
            {problems.slice(0, MOST_TOLD).map((problem, index) => (
              <span key={problem.path}>
                {index > 0 && "; "}
                <Anchor component="button" type="button" size="sm" onClick={() => goTo(problem)}>
                  {fieldName(problem.path)}
                </Anchor>{" "}
                {problem.isMissing ? "is needed" : `(${problem.message})`}
              </span>
            ))}
            {problems.length > MOST_TOLD && ` and ${problems.length - MOST_TOLD} more`}
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
          // It looks and is announced as disabled, but can be reached: who presses it is shown what is wrong.
          {...(isDisabled && { "data-disabled": true })}
          aria-disabled={isDisabled}
          aria-describedby={isDisabled ? reasonId : undefined}
          onClick={() => {
            if (!isDisabled) return editing.save();
            if (!hasTried) editing.tryInVain();
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
