import { Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import classes from "./code-input.module.css";
import { parseJson } from "./parse-json.ts";

interface Props {
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly value: unknown;
  /** Called whenever the text is valid JSON. */
  readonly onChange: (value: unknown) => void;
  /** Called with every change of the text. */
  readonly onValidity?: (isValid: boolean, text: string) => void;
  /** Text that is not valid JSON, to begin with. */
  readonly invalidText?: string | undefined;
  readonly error?: ReactNode;
  readonly minRows?: number;
  readonly maxRows?: number;
  readonly disabled?: boolean;
  readonly id?: string;
  readonly required?: boolean;
  /** An empty field is `undefined`, not an error. */
  readonly canBeEmpty?: boolean;
}

/** A JSON editor. Invalid text is kept, with an error. */
export function JsonField({
  value,
  onChange,
  onValidity,
  invalidText,
  error,
  minRows = 6,
  maxRows = 28,
  canBeEmpty = false,
  ...rest
}: Props) {
  const given = JSON.stringify(value, undefined, 2) ?? "";
  const [written, setWritten] = useState({ text: invalidText ?? given, given });
  const [problem, setProblem] = useState(() =>
    invalidText === undefined ? undefined : parseJson(invalidText).problem,
  );
  // The value was changed elsewhere: by a form, or by a newer version that was loaded.
  const isChangedElsewhere = written.given !== given && given !== formatted(written.text);
  const text = isChangedElsewhere && problem === undefined ? given : written.text;
  return (
    <Textarea
      {...rest}
      autosize
      minRows={minRows}
      maxRows={maxRows}
      spellCheck={false}
      value={text}
      classNames={classes}
      error={problem ?? error}
      onChange={(event) => {
        const now = event.currentTarget.value;
        const read = canBeEmpty && now.trim() === "" ? {} : parseJson(now);
        setProblem(read.problem);
        if (read.problem === undefined) {
          setWritten({ text: now, given: JSON.stringify(read.value, undefined, 2) ?? "" });
          onValidity?.(true, now);
          onChange(read.value);
        } else {
          setWritten({ text: now, given });
          onValidity?.(false, now);
        }
      }}
    />
  );
}

/** A JSON text as it is shown, for comparisons; any other text as it is. */
function formatted(text: string): string {
  const { value, problem } = parseJson(text);
  return problem === undefined ? JSON.stringify(value, undefined, 2) : text;
}
