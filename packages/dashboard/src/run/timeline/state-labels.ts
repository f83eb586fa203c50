import {
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconLoader,
  IconPlayerStop,
  IconPlayerTrackNext,
} from "@tabler/icons-react";
import type { RowState } from "./timeline-row.ts";

/** The label and the icon of each state, so that no state is shown by colour alone. */
export const STATE_LABELS: Readonly<
  Record<RowState, { readonly label: string; readonly icon: typeof IconBan }>
> = {
  done: { label: "completed", icon: IconCircleCheck },
  in_progress: { label: "in progress", icon: IconLoader },
  waiting: { label: "waiting", icon: IconClock },
  asking: { label: "waiting for approval", icon: IconHelpCircle },
  blocked: { label: "blocked", icon: IconBan },
  failed: { label: "failed", icon: IconCircleX },
  stopped: { label: "stopped", icon: IconPlayerStop },
  skipped: { label: "skipped", icon: IconPlayerTrackNext },
  unknown: { label: "end not reported", icon: IconCircleDashed },
};
