import { Radio, Stack } from "@mantine/core";
import type { RunHookType } from "@tenterhook/protocol/runs";
import { useField } from "../../editing/editor-context.ts";
import { ANY_TYPE_LABELS, ON_ERROR_LABELS } from "./on-error-labels.ts";

interface Props {
  readonly path: string;
  /** `undefined` for a named hook, which may be used for any type. */
  readonly type: RunHookType | undefined;
}

/**
 * What a failure of the hook means. There is no default: the author of the hook must choose between safety and availability.
 */
export function OnErrorField({ path, type }: Props) {
  const { id, value, error, readOnly, set } = useField(path);
  const labels = type === undefined ? ANY_TYPE_LABELS : ON_ERROR_LABELS[type];
  const chosen = value === "ignore" ? "continue" : value;
  return (
    <Radio.Group
      id={id}
      label="When the hook fails"
      description="No answer, an invalid answer, or a timeout"
      withAsterisk
      value={typeof chosen === "string" ? chosen : ""}
      error={error}
      readOnly={readOnly}
      onChange={set}
    >
      <Stack gap="xs" mt="xs" mb={error === undefined ? 0 : "xs"}>
        <Radio value="block" label="Block" description={labels.block} />
        <Radio value="continue" label="Continue" description={labels.continue} />
      </Stack>
    </Radio.Group>
  );
}
