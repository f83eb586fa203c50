import { Input, Radio, SegmentedControl, Select, SimpleGrid, Stack } from "@mantine/core";
import type { RunHookType } from "@tenterhook/protocol/runs";
import { useEditor, useField } from "../../editing/editor-context.ts";
import { NumberField, TextField } from "../../editing/fields.tsx";
import { AnyAgentPicker, TypedAgentPicker } from "./agent-picker.tsx";
import { EnforceField } from "./enforce-field.tsx";
import { HeadersField } from "./headers-field.tsx";
import { withHookTarget } from "./hook-choice.ts";
import { ModeField } from "./mode-field.tsx";
import { ANY_TYPE_LABELS, ON_ERROR_LABELS } from "./on-error-labels.ts";

interface Props {
  /** The path of the definition: `hooks.on_run_start`, or empty for the whole draft. */
  readonly path: string;
  /** `undefined` for a named hook, which may be used for any type. */
  readonly type: RunHookType | undefined;
}

/** The fields of a hook's definition. */
export function HookFields({ path, type }: Props) {
  const at = (field: string) => (path === "" ? field : `${path}.${field}`);
  const { change } = useEditor();
  const target = useField(at("type"));
  return (
    <Stack>
      <Input.Wrapper label="Calls" labelElement="div" error={target.error} id={target.id}>
        <div>
          <SegmentedControl
            aria-label={type === undefined ? "Calls" : `${type} calls`}
            value={target.value === "http" ? "http" : "agent"}
            readOnly={target.readOnly}
            onChange={(chosen) =>
              change((draft) => withHookTarget(draft, path, chosen === "http" ? "http" : "agent"))
            }
            data={[
              { value: "agent", label: "Agent" },
              { value: "http", label: "HTTP endpoint" },
            ]}
          />
        </div>
      </Input.Wrapper>
      {target.value === "http" ? (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextField path={at("url")} label="URL" placeholder="https://audit.example.com/runs" isRequired />
            <MethodField path={at("method")} />
          </SimpleGrid>
          <HeadersField path={at("headers")} />
        </>
      ) : type === undefined ? (
        <AnyAgentPicker path={at("agent_name")} />
      ) : (
        <TypedAgentPicker path={at("agent_name")} type={type} />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <OnErrorField path={at("on_error")} type={type} />
        <ModeField path={at("mode")} type={type} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          path={at("timeout_seconds")}
          label="Timeout"
          unit="s"
          placeholder="300 s"
          description="Seconds from the start of the hook. Default: 300"
        />
        <EnforceField path={at("enforce")} />
      </SimpleGrid>
    </Stack>
  );
}

function MethodField({ path }: { readonly path: string }) {
  const { id, value, error, readOnly, set } = useField(path);
  return (
    <Select
      id={id}
      label="Method"
      data={["POST", "PUT", "PATCH"]}
      value={typeof value === "string" ? value : "POST"}
      error={error}
      readOnly={readOnly}
      allowDeselect={false}
      onChange={set}
    />
  );
}

interface OnErrorFieldProps {
  readonly path: string;
  /** `undefined` for a named hook, which may be used for any type. */
  readonly type: RunHookType | undefined;
}

/**
 * What a failure of the hook means. There is no default: the author of the hook must choose between safety and availability.
 */
function OnErrorField({ path, type }: OnErrorFieldProps) {
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
