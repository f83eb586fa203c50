import { NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { ownField } from "@tenterhook/internal";
import type { ChoiceField, NumberField, ScalarField, SwitchField, TextField } from "./fields.ts";
import { useFormState } from "./form-state.ts";
import { emptied, type Path } from "./form-values.ts";

interface Props<F extends ScalarField> {
  readonly field: F;
  readonly path: Path;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** The accessible name of an item of a list, with its number. */
  readonly hiddenLabel?: string | undefined;
}

/** A field of one value. */
export function ScalarInput({ field, ...rest }: Props<ScalarField>) {
  switch (field.type) {
    case "text":
      return <TextValue field={field} {...rest} />;
    case "choice":
      return <ChoiceValue field={field} {...rest} />;
    case "number":
      return <NumberValue field={field} {...rest} />;
    case "switch":
      return <SwitchValue field={field} {...rest} />;
  }
}

/** The props that all inputs share. */
function useShared({ field, path, hiddenLabel }: Pick<Props<ScalarField>, "field" | "path" | "hiddenLabel">) {
  const { idOf, messageAt, onLeave } = useFormState();
  const { label, description } = field;
  return {
    id: idOf(path),
    error: messageAt(path),
    onBlur: () => onLeave(path),
    ...(hiddenLabel === undefined ? { label, description } : { "aria-label": hiddenLabel }),
  };
}

/** The mark of required fields; a switch always has a value. */
function renderMark({ isRequired }: ScalarField) {
  return { withAsterisk: isRequired, "aria-required": isRequired };
}

const INPUT_MODES: Readonly<Record<string, "email" | "url">> = { email: "email", uri: "url" };

function TextValue({ field, value, onChange, ...rest }: Props<TextField>) {
  const shared = useShared({ field, ...rest });
  const text = typeof value === "string" ? value : "";
  const change = (now: string) => onChange(now === "" ? emptied(field) : now);
  if (field.isLong || text.includes("\n")) {
    return (
      <Textarea
        {...shared}
        {...renderMark(field)}
        autosize
        minRows={3}
        maxRows={14}
        placeholder={field.placeholder}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      {...renderMark(field)}
      inputMode={ownField(INPUT_MODES, field.format ?? "") ?? "text"}
      placeholder={field.placeholder}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

function ChoiceValue({ field, value, onChange, ...rest }: Props<ChoiceField>) {
  const shared = useShared({ field, ...rest });
  const index = field.options.indexOf(value);
  return (
    <Select
      {...shared}
      {...renderMark(field)}
      placeholder={field.placeholder ?? "Choose"}
      // Identified by index: an option may be a number or a boolean.
      data={field.options.map((option, at) => ({ value: String(at), label: String(option) }))}
      value={index === -1 ? null : String(index)}
      searchable={field.options.length > 8}
      clearable={!field.isRequired}
      clearButtonProps={{ "aria-label": `Clear ${field.label}` }}
      onChange={(at) => onChange(at === null ? emptied(field) : field.options[Number(at)])}
    />
  );
}

function NumberValue({ field, value, onChange, ...rest }: Props<NumberField>) {
  const shared = useShared({ field, ...rest });
  const { min, max, step, isInteger, placeholder } = field;
  return (
    <NumberInput
      {...shared}
      {...renderMark(field)}
      placeholder={placeholder ?? boundsText(min, max)}
      allowDecimal={!isInteger}
      // A value out of range is reported, not changed.
      clampBehavior="none"
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      {...(step !== undefined && { step })}
      value={typeof value === "number" ? value : ""}
      onChange={(now) => {
        const number = typeof now === "number" ? now : Number(now);
        onChange(now === "" || !Number.isFinite(number) ? emptied(field) : number);
      }}
    />
  );
}

function boundsText(min: number | undefined, max: number | undefined): string | undefined {
  if (min === undefined) return max === undefined ? undefined : `up to ${max}`;
  return max === undefined ? `${min} or more` : `${min} to ${max}`;
}

function SwitchValue({ field, value, onChange, ...rest }: Props<SwitchField>) {
  const shared = useShared({ field, ...rest });
  return (
    <Switch
      {...shared}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
