import { Alert } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useLiveState } from "../live/live-provider.tsx";

/** Says that the page is no longer live, until it is again. */
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
      The coordinator does not answer. What you see may be out of date; nothing is lost, and the page catches
      up by itself.
    </Alert>
  );
}
