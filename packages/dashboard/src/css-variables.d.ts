import "react";

declare module "react" {
  interface CSSProperties {
    /** What a style sheet takes from a component. */
    readonly [name: `--${string}`]: string | number | undefined;
  }
}
