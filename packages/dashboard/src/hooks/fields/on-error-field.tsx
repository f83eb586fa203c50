import { Radio, Stack } from "@mantine/core";
import type { RunHookType } from "@tenterhook/protocol/runs";
import { useField } from "../../editing/editor-context.ts";
import { ANY_TYPE_WORDS, ON_ERROR_WORDS } from "./on-error-words.ts";

interface Props {
  readonly path: string;
  /** `undefined` for a hook that has a name, and any type. */
  readonly type: RunHookType | undefined;
}

/**
 * What a failing hook means. Nothing is chosen beforehand: whether safety or going on counts more is known to whoever writes
 * the hook, and the blueprint must say it.
 */
export function OnErrorField({ path, type }: Props) {
  const { id, value, error, readOnly, set } = useField(path);
  const words = type === undefined ? ANY_TYPE_WORDS : ON_ERROR_WORDS[type];
  const chosen = value === "ignore" ? "continue" : value;
  return (
    <Radio.Group
      id={id}
      label="When the hook fails"
      description="No answer, a wrong one, or one that comes too late"
      withAsterisk
      value={typeof chosen === "string" ? chosen : ""}
      error={error}
      readOnly={readOnly}
      onChange={set}
    >
      <Stack gap="xs" mt="xs" mb={error === undefined ? 0 : "xs"}>
        <Radio value="block" label="Block" description={words.block} />
        <Radio value="continue" label="Continue" description={words.continue} />
      </Stack>
    </Radio.Group>
  );
}
