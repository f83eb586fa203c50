import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import type { Steady } from "./use-steady.ts";

interface Props extends ButtonProps {
  readonly steady: Steady;
  readonly onPress?: () => void;
  readonly type?: "submit";
  readonly children: ReactNode;
}

/** A button of a card. While the card moves it is focusable, so that the keyboard does not lose its place, but does nothing. */
export function SteadyButton({ steady, onPress, type, children, ...rest }: Props) {
  return (
    <Button
      {...rest}
      type={type ?? "button"}
      aria-disabled={!steady.isSteady}
      data-moving={!steady.isSteady || undefined}
      onClick={(event) => {
        if (!steady.accepts()) event.preventDefault();
        else onPress?.();
      }}
    >
      {children}
    </Button>
  );
}
