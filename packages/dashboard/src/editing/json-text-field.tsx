import { Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "../components/code-input.module.css";
import { textAt, withText } from "./draft.ts";
import { useEditor, useField } from "./editor-context.ts";

interface Props {
  /** Empty for the whole. */
  readonly path: string;
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly minRows?: number;
}

/** A field that is edited as JSON. Invalid text is kept as it was typed, also when the user switches tabs. */
export function JsonTextField({ path, minRows = 6, ...rest }: Props) {
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
      value={text}
      error={problem ?? error}
      classNames={classes}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        change((now) => withText(now, path, typed));
      }}
    />
  );
}
