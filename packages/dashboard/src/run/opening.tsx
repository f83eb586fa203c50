import type { ReactNode } from "react";
import classes from "./opening.module.css";

interface Props {
  readonly label: string;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** Something that is shown when it is opened. */
export function Opening({ label, isOpen = false, children }: Props) {
  return (
    <details open={isOpen} className={classes.opening}>
      <summary className={classes.summary}>{label}</summary>
      <div className={classes.inside}>{children}</div>
    </details>
  );
}
