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
import type { Outcome } from "./timeline-row.ts";

/** Outcomes for people. A colour never stands alone: there is a sign and a word for each. */
export const OUTCOME_WORDS: Readonly<
  Record<Outcome, { readonly word: string; readonly icon: typeof IconBan }>
> = {
  done: { word: "completed", icon: IconCircleCheck },
  going_on: { word: "going on", icon: IconLoader },
  waiting: { word: "waiting", icon: IconClock },
  asking: { word: "asks a person", icon: IconHelpCircle },
  blocked: { word: "blocked", icon: IconBan },
  failed: { word: "failed", icon: IconCircleX },
  stopped: { word: "stopped", icon: IconPlayerStop },
  skipped: { word: "skipped", icon: IconPlayerTrackNext },
  unknown: { word: "end not told", icon: IconCircleDashed },
};
