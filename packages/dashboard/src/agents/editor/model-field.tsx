import { Autocomplete, Input, SegmentedControl, Stack } from "@mantine/core";
import { type Draft, withField } from "../../editing/draft.ts";
import { useEditor, useField } from "../../editing/editor-context.ts";
import { isJsonObject } from "../../editing/json-object.ts";
import { JsonTextField } from "../../editing/json-text-field.tsx";
import { useRunnerNames } from "./runner-names.ts";

/** The model: the name of one that runners have, or a configuration written out. */
export function ModelField() {
  const { change } = useEditor();
  const { id, value, error, readOnly, set } = useField("model");
  const { models } = useRunnerNames();
  const kind = isJsonObject(value) ? "configuration" : "name";
  return (
    <Stack gap="xs">
      <Input.Wrapper label="Model" labelElement="div">
        <div>
          <SegmentedControl
            aria-label="How the model is given"
            value={kind}
            readOnly={readOnly}
            onChange={(chosen) => change((now) => withModelKind(now, chosen))}
            data={[
              { value: "name", label: "By name" },
              { value: "configuration", label: "As a configuration" },
            ]}
          />
        </div>
      </Input.Wrapper>
      {kind === "name" ? (
        <Autocomplete
          id={id}
          aria-label="Name of the model"
          description={`A model of the runners${models.length === 0 ? "" : ` (${models.join(", ")})`}, or provider:model`}
          placeholder="default"
          data={models}
          value={typeof value === "string" ? value : ""}
          error={error}
          readOnly={readOnly}
          onChange={(name) => set(name === "" ? undefined : name)}
        />
      ) : (
        <JsonTextField path="model" label="Configuration of the model" minRows={4} />
      )}
    </Stack>
  );
}

/** Another way to name the model; what was written the one way waits for whoever goes back. */
function withModelKind(draft: Draft, kind: string): Draft {
  const before = isJsonObject(draft.value.model) ? "configuration" : "name";
  if (before === kind) return draft;
  const { model: _, ...texts } = draft.texts;
  const aside = { ...draft.aside, [`model:${before}`]: draft.value.model };
  const fresh = kind === "configuration" ? { provider: "" } : undefined;
  return withField({ ...draft, texts, aside }, "model", draft.aside[`model:${kind}`] ?? fresh);
}
