import { ActionIcon, Button, Group, Text, Title } from "@mantine/core";
import { IconArrowAutofitWidth, IconZoomIn, IconZoomOut, IconZoomReset } from "@tabler/icons-react";
import { durationText } from "../../components/durations.ts";
import classes from "./timeline.module.css";
import type { Zoom } from "./use-zoom.ts";

/** The title of the timeline, how much of it is visible, and buttons to change that. */
export function TimelineHead({ zoom }: { readonly zoom: Zoom }) {
  const { scale, limits, isWhole, isFitted, fitWork } = zoom;
  const whole = durationText(limits.to - limits.from);
  return (
    <Group justify="space-between" px="md" py={8} gap="xs">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Title order={2} size="h5" id="timeline-title">
          Timeline
        </Title>
        <Text size="sm" className={classes.quiet} truncate>
          {isWhole ? `${whole} total` : `${durationText(scale.to - scale.from)} of ${whole}`}
        </Text>
      </Group>
      <Group gap={6}>
        <Text size="xs" className={classes.hint}>
          Drag, Ctrl + wheel, or + − 0 F ← →
        </Text>
        {fitWork !== undefined && !isFitted && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowAutofitWidth size={14} aria-hidden />}
            onClick={fitWork}
          >
            Fit work
          </Button>
        )}
        {!isWhole && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconZoomReset size={14} aria-hidden />}
            onClick={zoom.showWhole}
          >
            Show whole run
          </Button>
        )}
        <ActionIcon.Group>
          <ActionIcon size={24} variant="default" aria-label="Zoom out" onClick={() => zoom.zoomBy(2)}>
            <IconZoomOut size={14} aria-hidden />
          </ActionIcon>
          <ActionIcon size={24} variant="default" aria-label="Zoom in" onClick={() => zoom.zoomBy(0.5)}>
            <IconZoomIn size={14} aria-hidden />
          </ActionIcon>
        </ActionIcon.Group>
      </Group>
    </Group>
  );
}
