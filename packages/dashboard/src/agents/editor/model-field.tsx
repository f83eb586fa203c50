import { Autocomplete, Input, SegmentedControl, Stack } from "@mantine/core";
import { isRecord } from "@tenterhook/internal";
import { type Draft, withField } from "../../editing/draft.ts";
import { useEditor, useField } from "../../editing/editor-context.ts";
import { JsonTextField } from "../../editing/json-text-field.tsx";
import { useRunnerNames } from "./runner-names.ts";

/** The model: a name that runners know, or a configuration. */
export function ModelField() {
  const { change } = useEditor();
  const { id, value, error, readOnly, set } = useField("model");
  const { models } = useRunnerNames();
  const kind = isRecord(value) ? "configuration" : "name";
  return (
    <Stack gap="xs">
      <Input.Wrapper label="Model" labelElement="div">
        <div>
          <SegmentedControl
            aria-label="Model reference"
            value={kind}
            readOnly={readOnly}
            onChange={(chosen) => change((now) => withModelKind(now, chosen))}
            data={[
              { value: "name", label: "Name" },
              { value: "configuration", label: "Configuration" },
            ]}
          />
        </div>
      </Input.Wrapper>
      {kind === "name" ? (
        <Autocomplete
          id={id}
          aria-label="Model name"
          description={`A model that runners provide${models.length === 0 ? "" : ` (${models.join(", ")})`}, or provider:model`}
          placeholder="default"
          data={models}
          value={typeof value === "string" ? value : ""}
          error={error}
          readOnly={readOnly}
          onChange={(name) => set(name === "" ? undefined : name)}
        />
      ) : (
        <JsonTextField path="model" label="Model configuration" minRows={4} />
      )}
    </Stack>
  );
}

/** Switches between name and configuration; the other value is kept in `replaced` and restored with it. */
function withModelKind(draft: Draft, kind: string): Draft {
  const before = isRecord(draft.value.model) ? "configuration" : "name";
  if (before === kind) return draft;
  const { model: _, ...texts } = draft.texts;
  const replaced = { ...draft.replaced, [`model:${before}`]: draft.value.model };
  const fresh = kind === "configuration" ? { provider: "" } : undefined;
  return withField({ ...draft, texts, replaced }, "model", draft.replaced[`model:${kind}`] ?? fresh);
}
