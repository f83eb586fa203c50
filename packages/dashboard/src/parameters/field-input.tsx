import { ActionIcon, Button, Fieldset, Group, Input, Stack } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { isRecord, ownField } from "@tenterhook/internal";
import { JsonField } from "../components/json-field.tsx";
import type { JsonObject } from "../editing/json-object.ts";
import type { Field, GroupField, JsonValueField, ListField } from "./fields.ts";
import { useFormState } from "./form-state.ts";
import { changedGroup, emptied, type Path } from "./form-values.ts";
import { ScalarInput } from "./scalar-input.tsx";

interface Props<F extends Field> {
  readonly field: F;
  readonly path: Path;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

interface FieldsProps {
  readonly fields: readonly Field[];
  readonly path: Path;
  readonly values: JsonObject;
  readonly onChange: (name: string, value: unknown) => void;
}

/** Fields one under the other. */
export function FieldInputs({ fields, path, values, onChange }: FieldsProps) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          path={[...path, field.name]}
          value={ownField(values, field.name)}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </Stack>
  );
}

function FieldInput({ field, ...rest }: Props<Field>) {
  switch (field.type) {
    case "group":
      return <GroupInput field={field} {...rest} />;
    case "list":
      return <ListInput field={field} {...rest} />;
    case "json":
      return <JsonInput field={field} {...rest} />;
    default:
      return <ScalarInput field={field} {...rest} />;
  }
}

function GroupInput({ field, path, value, onChange }: Props<GroupField>) {
  const { idOf, messageAt } = useFormState();
  const message = messageAt(path);
  const values = isRecord(value) ? value : {};
  return (
    <Fieldset
      id={idOf(path)}
      tabIndex={-1}
      legend={field.isRequired ? `${field.label} *` : field.label}
      variant="default"
      p="sm"
    >
      {field.description !== undefined && <Input.Description mb="xs">{field.description}</Input.Description>}
      <FieldInputs
        fields={field.fields}
        path={path}
        values={values}
        onChange={(name, now) => onChange(changedGroup(values, name, now, field.isRequired))}
      />
      {message !== undefined && <Input.Error mt="xs">{message}</Input.Error>}
    </Fieldset>
  );
}

function ListInput({ field, path, value, onChange }: Props<ListField>) {
  const { idOf, messageAt } = useFormState();
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const change = (now: readonly unknown[]) =>
    onChange(now.length === 0 && !field.isRequired ? undefined : now);
  const message = messageAt(path);
  return (
    <Stack gap={6} role="group" aria-labelledby={`${idOf(path)}-label`}>
      <div>
        <Input.Label labelElement="div" id={`${idOf(path)}-label`} required={field.isRequired}>
          {field.label}
        </Input.Label>
        {field.description !== undefined && <Input.Description>{field.description}</Input.Description>}
      </div>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items are identified by their index
        <Group key={index} gap="xs" wrap="nowrap" align="start">
          <div style={{ flex: 1, minWidth: 0 }}>
            <ScalarInput
              field={field.item}
              path={[...path, String(index)]}
              value={item}
              hiddenLabel={`${field.label} ${index + 1}`}
              // An empty item is null, because JSON lists have no holes.
              onChange={(now) => change(items.with(index, now ?? null))}
            />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove ${field.label} ${index + 1}`}
            onClick={() => change(items.toSpliced(index, 1))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          id={idOf(path)}
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={`Add to ${field.label}`}
          onClick={() =>
            change([...items, field.item.preset ?? (field.item.type === "switch" ? false : null)])
          }
        >
          Add
        </Button>
      </div>
      {message !== undefined && <Input.Error>{message}</Input.Error>}
    </Stack>
  );
}

function JsonInput({ field, path, value, onChange }: Props<JsonValueField>) {
  const { idOf, messageAt, onValidity, invalidTextAt } = useFormState();
  return (
    <JsonField
      id={idOf(path)}
      label={`${field.label} (JSON)`}
      description={field.description}
      required={field.isRequired}
      canBeEmpty
      minRows={2}
      maxRows={14}
      value={value}
      error={messageAt(path)}
      invalidText={invalidTextAt(path)}
      onValidity={(isValid, text) => onValidity(path, isValid, text)}
      onChange={(now) => onChange(now === undefined ? emptied(field) : now)}
    />
  );
}
