import { Group, Loader, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useLiveState } from "../live/live-provider.tsx";

/** Most code is loaded before this; without it the screen would flicker. */
const QUIET_MS = 400;

/** Stands in for a page whose code is not loaded yet. */
export function PageNotLoaded() {
  const isLost = useLiveState() === "lost";
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <Group gap="sm" role="status">
      <Loader size="sm" aria-hidden />
      <Text size="sm">
        {isLost
          ? "This page is not loaded yet. It opens when the coordinator responds again."
          : "Loading the page"}
      </Text>
    </Group>
  );
}
