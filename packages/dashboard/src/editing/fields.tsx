import { NumberInput, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { ChangeEvent, ReactNode } from "react";
import { useField } from "./editor-context.ts";

interface FieldProps {
  readonly path: string;
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
}

interface TextProps extends FieldProps {
  readonly isRequired?: boolean;
}

/** A line of text. */
export function TextField({ path, isRequired = false, ...rest }: TextProps) {
  return (
    <TextInput
      {...rest}
      {...useTextInput(path)}
      withAsterisk={isRequired}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

interface AreaProps extends FieldProps {
  readonly minRows?: number;
}

/** Text of several lines. */
export function AreaField({ path, minRows = 2, ...rest }: AreaProps) {
  return <Textarea {...rest} {...useTextInput(path)} autosize minRows={minRows} maxRows={24} />;
}

/** The properties of an input for text. A field that is empty is left out of the draft. */
function useTextInput(path: string) {
  const { id, value, error, readOnly, set } = useField(path);
  const onChange = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    set(event.currentTarget.value === "" ? undefined : event.currentTarget.value);
  return { id, value: formatText(value), error, readOnly, onChange };
}

interface NumberProps extends FieldProps {
  readonly unit?: string;
}

/** A number. Invalid input is kept and reported. */
export function NumberField({ path, unit, ...rest }: NumberProps) {
  const { id, value, error, readOnly, set } = useField(path);
  return (
    <NumberInput
      {...rest}
      id={id}
      value={typeof value === "number" ? value : formatText(value)}
      error={error}
      readOnly={readOnly}
      hideControls
      {...(unit !== undefined && { suffix: ` ${unit}` })}
      onChange={(next) => set(next === "" ? undefined : next)}
    />
  );
}

interface TagsProps extends FieldProps {
  /** Other values can be typed. */
  readonly suggestions?: readonly string[];
}

/** A list of strings. */
export function TagsField({ path, suggestions = [], ...rest }: TagsProps) {
  const { id, value, error, readOnly, set } = useField(path);
  return (
    <TagsInput
      {...rest}
      id={id}
      value={Array.isArray(value) ? value.map(formatText) : []}
      data={[...suggestions]}
      error={error}
      readOnly={readOnly}
      acceptValueOnBlur
      onChange={(values) => set(values.length === 0 ? undefined : values)}
    />
  );
}

/** The text of a value; a value of another type was written as JSON. */
function formatText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
