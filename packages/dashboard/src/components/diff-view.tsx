import { Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useMemo, useState } from "react";
import classes from "./diff-view.module.css";
import { type DiffBlock, type DiffLine, jsonDiff } from "./json-diff.ts";

interface Props {
  readonly before: unknown;
  readonly after: unknown;
  readonly label: string;
}

/** What changed between two values, line by line. */
export function DiffView({ before, after, label }: Props) {
  const blocks = useMemo(() => jsonDiff(before, after), [before, after]);
  if (blocks === undefined) {
    return <Text size="sm">The values are too large to be compared line by line.</Text>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.diff} aria-label={label} tabIndex={0}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one diff never move
        <Block key={index} block={block} />
      ))}
    </section>
  );
}

function Block({ block: { type, lines } }: { readonly block: DiffBlock }) {
  const [isShown, setShown] = useState(type === "lines");
  if (!isShown) {
    return (
      <UnstyledButton className={classes.fold} onClick={() => setShown(true)}>
        Show {lines.length} unchanged lines
      </UnstyledButton>
    );
  }
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one diff never move
    <Line key={index} line={line} />
  ));
}

const SIGN_LABELS = { "+": "added: ", "−": "removed: ", " ": "" } as const;

function Line({ line: { sign, text } }: { readonly line: DiffLine }) {
  return (
    <div className={classes.line} data-sign={sign}>
      <span className={classes.sign} aria-hidden>
        {sign}
      </span>
      <span className={classes.text}>
        <VisuallyHidden>{SIGN_LABELS[sign]}</VisuallyHidden>
        {text}
      </span>
    </div>
  );
}
