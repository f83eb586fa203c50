import type { ReactNode } from "react";
import classes from "./light-badge.module.css";

interface Props {
  /** A colour of the theme. */
  readonly color: string;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** The library's light badge as a plain element: long lists render hundreds of them a second. */
export function LightBadge({ color, icon, children }: Props) {
  const style = {
    color: `var(--mantine-color-${color}-light-color)`,
    background: `var(--mantine-color-${color}-light)`,
  };
  return (
    <span className={classes.badge} style={style}>
      {icon}
      <span className={classes.label}>{children}</span>
    </span>
  );
}
