import { Radio, Stack } from "@mantine/core";
import { DEFAULT_MODES, type RunHookType } from "@tenterhook/protocol/runs";
import { useField } from "../../editing/editor-context.ts";
import { ALWAYS_SYNC } from "./on-error-labels.ts";

interface Props {
  readonly path: string;
  readonly type: RunHookType | undefined;
}

const BY_TYPE = "by type";

/** Whether the run waits for the hook. */
export function ModeField({ path, type }: Props) {
  const { id, value, error, readOnly, set } = useField(path);
  const isAlwaysSync = type !== undefined && ALWAYS_SYNC.has(type);
  const defaultMode = type === undefined ? BY_TYPE : DEFAULT_MODES[type];
  const label = (mode: string, text: string) => `${text}${mode === defaultMode ? " (default)" : ""}`;
  return (
    <Radio.Group
      id={id}
      label="Mode"
      description={
        isAlwaysSync
          ? `${type} is always sync: the run needs its answer`
          : "Whether the run waits for the hook"
      }
      value={typeof value === "string" ? value : defaultMode}
      error={error}
      readOnly={readOnly}
      onChange={(mode) => set(mode === BY_TYPE ? undefined : mode)}
    >
      <Stack gap="xs" mt="xs">
        {type === undefined && <Radio value={BY_TYPE} label="By hook type (default)" />}
        <Radio value="sync" label={label("sync", "sync: the run waits for it")} />
        <Radio
          value="async"
          label={label("async", "async: the run does not wait for it")}
          disabled={isAlwaysSync && value !== "async"}
        />
      </Stack>
    </Radio.Group>
  );
}
