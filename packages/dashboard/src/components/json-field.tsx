import { Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface Props {
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly value: unknown;
  /** Called whenever the text is valid JSON. */
  readonly onChange: (value: unknown) => void;
  /** Called when the text becomes valid or invalid. */
  readonly onValidity?: (isValid: boolean) => void;
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
  error,
  minRows = 6,
  maxRows = 28,
  canBeEmpty = false,
  ...rest
}: Props) {
  const given = JSON.stringify(value, undefined, 2) ?? "";
  const [written, setWritten] = useState({ text: given, given });
  const [problem, setProblem] = useState<string>();
  // The value was changed elsewhere: by a form, or by a newer version that was loaded.
  const isChangedElsewhere = written.given !== given && given !== compact(written.text);
  const text = isChangedElsewhere && problem === undefined ? given : written.text;
  return (
    <Textarea
      {...rest}
      autosize
      minRows={minRows}
      maxRows={maxRows}
      spellCheck={false}
      value={text}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 13 } }}
      error={problem ?? error}
      onChange={(event) => {
        const now = event.currentTarget.value;
        try {
          const parsed: unknown = canBeEmpty && now.trim() === "" ? undefined : JSON.parse(now);
          setWritten({ text: now, given: JSON.stringify(parsed, undefined, 2) ?? "" });
          setProblem(undefined);
          onValidity?.(true);
          onChange(parsed);
        } catch (error) {
          setWritten({ text: now, given });
          setProblem(`Invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
          onValidity?.(false);
        }
      }}
    />
  );
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
