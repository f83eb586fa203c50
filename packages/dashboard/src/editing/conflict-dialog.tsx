import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { DiffView } from "../components/diff-view.tsx";
import type { JsonObject } from "./json-object.ts";
import { type Choices, mergeEdits, resolveMerge } from "./merge-edits.ts";

interface Props {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** The common base, the user's draft, and the newer saved version. */
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly theirs: JsonObject;
  readonly takeTheirs: () => void;
  readonly applyToTheirs: (value: JsonObject) => void;
}

/** Compares the draft with a newer saved version, and lets the user resolve conflicts. */
export function ConflictDialog({ isOpen, close, base, mine, theirs, takeTheirs, applyToTheirs }: Props) {
  const [choices, setChoices] = useState<Choices>({});
  const merge = mergeEdits(base, mine, theirs);
  const result = resolveMerge(merge, choices);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size="xl"
      title="A newer version was saved"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack>
        <Text size="sm">
          Your changes are kept, and nothing is overwritten. Lines with − are only in the saved version, lines
          with + only in yours.
        </Text>
        <DiffView before={theirs} after={mine} label="Saved version compared with yours" />
        {merge.conflicts.map(({ path, mine: own, theirs: other }) => (
          <Radio.Group
            key={path}
            label={`Conflict in ${path}`}
            value={choices[path] ?? ""}
            onChange={(choice) => setChoices({ ...choices, [path]: choice === "mine" ? "mine" : "theirs" })}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="mine" label={<Choice label="Yours" value={own} />} />
              <Radio value="theirs" label={<Choice label="Saved" value={other} />} />
            </Stack>
          </Radio.Group>
        ))}
        <Text size="sm">
          {merge.mine.length > 0 && <>Changed only by you: {merge.mine.join(", ")}. </>}
          {merge.theirs.length > 0 && <>Changed only in the saved version: {merge.theirs.join(", ")}. </>}
          {result === undefined && "Resolve every conflict to apply your changes."}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={takeTheirs}>
            Use saved version
          </Button>
          <Button
            disabled={result === undefined}
            onClick={() => result !== undefined && applyToTheirs(result)}
          >
            Apply my changes
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Choice({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = value === undefined ? "removed" : (JSON.stringify(value) ?? "");
  return (
    <Text size="sm" lineClamp={3}>
      {label}: <code>{text}</code>
    </Text>
  );
}
