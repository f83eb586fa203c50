import { NumberInput, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useField } from "./editor-context.ts";

interface FieldProps {
  readonly path: string;
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
}

/** A line of text. */
export function TextField({ path, isRequired = false, ...rest }: FieldProps) {
  const { id, value, error, readOnly, set } = useField(path);
  return (
    <TextInput
      {...rest}
      id={id}
      value={textOf(value)}
      error={error}
      readOnly={readOnly}
      withAsterisk={isRequired}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => set(event.currentTarget.value === "" ? undefined : event.currentTarget.value)}
    />
  );
}

interface AreaProps extends FieldProps {
  readonly minRows?: number;
  readonly isCode?: boolean;
}

/** Text of several lines. */
export function AreaField({ path, isRequired = false, minRows = 2, isCode = false, ...rest }: AreaProps) {
  const { id, value, error, readOnly, set } = useField(path);
  return (
    <Textarea
      {...rest}
      id={id}
      value={textOf(value)}
      error={error}
      readOnly={readOnly}
      withAsterisk={isRequired}
      autosize
      minRows={minRows}
      maxRows={24}
      spellCheck={!isCode}
      onChange={(event) => set(event.currentTarget.value === "" ? undefined : event.currentTarget.value)}
    />
  );
}

interface NumberProps extends FieldProps {
  readonly unit?: string;
}

/** A number. What is none is kept and told, as everywhere. */
export function NumberField({ path, isRequired = false, unit, ...rest }: NumberProps) {
  const { id, value, error, readOnly, set } = useField(path);
  return (
    <NumberInput
      {...rest}
      id={id}
      value={typeof value === "number" ? value : textOf(value)}
      error={error}
      readOnly={readOnly}
      withAsterisk={isRequired}
      hideControls
      {...(unit !== undefined && { suffix: ` ${unit}` })}
      onChange={(next) => set(next === "" ? undefined : next)}
    />
  );
}

interface WordsProps extends FieldProps {
  /** Words that one may mean; others can be typed. */
  readonly known?: readonly string[];
}

/** A list of words. */
export function WordsField({ path, isRequired = false, known = [], ...rest }: WordsProps) {
  const { id, value, error, readOnly, set } = useField(path);
  return (
    <TagsInput
      {...rest}
      id={id}
      value={Array.isArray(value) ? value.map(textOf) : []}
      data={[...known]}
      error={error}
      readOnly={readOnly}
      withAsterisk={isRequired}
      acceptValueOnBlur
      onChange={(words) => set(words.length === 0 ? undefined : words)}
    />
  );
}

/** What is written in a field; what is no text, somebody wrote as JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
