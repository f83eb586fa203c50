import type { ReactNode } from "react";
import classes from "./compared-number.module.css";

/** Numbers with their comparison, beside each other as far as there is room. */
export function NumberRow({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <dl className={classes.row} aria-label={label}>
      {children}
    </dl>
  );
}
