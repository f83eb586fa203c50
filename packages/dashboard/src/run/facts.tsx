import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./facts.module.css";

/** A list of labelled values. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <Text component="dt" size="xs" className={classes.label}>
        {label}
      </Text>
      <Text component="dd" size="sm" className={classes.value}>
        {children}
      </Text>
    </div>
  );
}
