import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { DiffView } from "../parts/diff-view.tsx";
import type { JsonObject } from "./json-object.ts";
import { type Choices, mergeEdits, settled } from "./merge-edits.ts";

interface Props {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** What both began with, what I wrote, and what they saved. */
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly theirs: JsonObject;
  readonly takeTheirs: () => void;
  readonly putOnTop: (value: JsonObject) => void;
}

/** Somebody else saved first: shows both, and lets a person decide what becomes of them. */
export function ConflictDialog({ isOpen, close, base, mine, theirs, takeTheirs, putOnTop }: Props) {
  const [choices, setChoices] = useState<Choices>({});
  const merge = mergeEdits(base, mine, theirs);
  const result = settled(merge, choices);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size="xl"
      title="Somebody else saved a change meanwhile"
      closeButtonProps={{ "aria-label": "Close, and decide later" }}
    >
      <Stack>
        <Text size="sm">
          Nothing of yours is lost, and nothing of theirs is overwritten. Lines with − are in their version
          only, lines with + in yours.
        </Text>
        <DiffView before={theirs} after={mine} label="Their version against yours" />
        {merge.clashes.map(({ path, mine: own, theirs: other }) => (
          <Radio.Group
            key={path}
            label={`Both changed ${path}`}
            value={choices[path] ?? ""}
            onChange={(choice) => setChoices({ ...choices, [path]: choice === "mine" ? "mine" : "theirs" })}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="mine" label={<Chosen word="Yours" value={own} />} />
              <Radio value="theirs" label={<Chosen word="Theirs" value={other} />} />
            </Stack>
          </Radio.Group>
        ))}
        <Text size="sm">
          {merge.mine.length > 0 && <>Only you changed {merge.mine.join(", ")}. </>}
          {merge.theirs.length > 0 && <>Only they changed {merge.theirs.join(", ")}. </>}
          {result === undefined && "Choose what both of you changed, to put yours on top of theirs."}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={takeTheirs}>
            Take theirs
          </Button>
          <Button disabled={result === undefined} onClick={() => result !== undefined && putOnTop(result)}>
            Put mine on top of theirs
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Chosen({ word, value }: { readonly word: string; readonly value: unknown }) {
  const text = value === undefined ? "taken away" : (JSON.stringify(value) ?? "");
  return (
    <Text size="sm" lineClamp={3}>
      {word}: <code>{text}</code>
    </Text>
  );
}
