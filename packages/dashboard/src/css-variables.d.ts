import "react";

declare module "react" {
  interface CSSProperties {
    /** Custom properties that components pass to style sheets. */
    readonly [name: `--${string}`]: string | number | undefined;
  }
}
