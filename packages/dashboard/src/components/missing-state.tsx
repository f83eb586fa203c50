import type { ComponentProps } from "react";
import { EmptyState } from "./empty-state.tsx";
import { AnchorLink } from "./router-links.ts";

interface Props extends ComponentProps<typeof EmptyState> {
  /** The list of what exists. */
  readonly list: "/agents" | "/hooks" | "/runs" | "/sessions";
}

/** Shown at an address where nothing exists: why that may be, and a link to a list. */
export function MissingState({ list, children, ...rest }: Props) {
  return (
    <EmptyState {...rest}>
      {children}{" "}
      <AnchorLink to={list} inherit underline="always">
        Go to {list.slice(1)}
      </AnchorLink>
    </EmptyState>
  );
}
