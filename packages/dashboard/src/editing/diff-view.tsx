import { VisuallyHidden } from "@mantine/core";
import classes from "./diff-view.module.css";
import { type DiffLine, lineDiff } from "./line-diff.ts";

interface Props {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

const MARKS: Readonly<Record<DiffLine["type"], string>> = { same: " ", added: "+", removed: "−", gap: " " };

/** Two texts, and where they differ. */
export function DiffView({ before, after, label }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.diff} aria-label={label} tabIndex={0}>
      {lineDiff(before, after).map(({ type, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move
        <span key={index} className={classes.line} data-type={type}>
          <span aria-hidden>{MARKS[type]} </span>
          {type === "added" && <VisuallyHidden>added: </VisuallyHidden>}
          {type === "removed" && <VisuallyHidden>removed: </VisuallyHidden>}
          {text}
        </span>
      ))}
    </section>
  );
}
