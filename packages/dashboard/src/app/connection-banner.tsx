import { Alert } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useLiveState } from "../live/live-provider.tsx";

/** Shown while the connection for live events is lost. */
export function ConnectionBanner() {
  if (useLiveState() !== "lost") return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      role="status"
      icon={<IconPlugConnectedX aria-hidden />}
      title="Reconnecting"
    >
      The coordinator does not respond. This page may be out of date; it updates itself when the connection is
      back.
    </Alert>
  );
}
