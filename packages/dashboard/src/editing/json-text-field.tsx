import { Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import { textAt, withText } from "./draft.ts";
import { useEditor, useField } from "./editor-context.ts";
import classes from "./json-text-field.module.css";

interface Props {
  /** Empty for the whole. */
  readonly path: string;
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly minRows?: number;
  readonly isRequired?: boolean;
}

/** A field that is edited as JSON. Invalid text is kept as it was typed, also when the user switches tabs. */
export function JsonTextField({ path, minRows = 6, isRequired = false, ...rest }: Props) {
  const { draft, change } = useEditor();
  const { id, error, readOnly } = useField(path);
  const { text, problem } = textAt(draft, path);
  return (
    <Textarea
      {...rest}
      id={id}
      autosize
      minRows={minRows}
      maxRows={40}
      spellCheck={false}
      autoComplete="off"
      readOnly={readOnly}
      withAsterisk={isRequired}
      value={text}
      error={problem ?? error}
      classNames={{ input: classes.code }}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        change((now) => withText(now, path, typed));
      }}
    />
  );
}
