import { Alert, Badge, Stack } from "@mantine/core";
import type { ReactNode } from "react";

/** Marks a hook that is not enforced in a list. */
export function NotEnforcedBadge() {
  return (
    <Badge variant="outline" color="yellow" radius="sm" size="sm" tt="none">
      not enforced
    </Badge>
  );
}

interface Props {
  /** How it is enforced: a button, or a command. */
  readonly enforcing: ReactNode;
  /** What it would have done. */
  readonly children: ReactNode;
}

/** Says that a hook is not enforced, what it would have done, and how to enforce it. */
export function NotEnforcedNotice({ enforcing, children }: Props) {
  return (
    <Alert variant="outline" color="yellow" role="note" title="Not enforced">
      <Stack gap="xs" align="flex-start">
        {children}
        {enforcing}
      </Stack>
    </Alert>
  );
}
