import { Badge, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { RunDetail } from "@tenterhook/protocol/runs";
import type { ReactNode } from "react";
import { formatCount } from "../components/format-count.ts";
import { Overview } from "./data/overview.tsx";
import { EventsPanel } from "./events/events-panel.tsx";
import type { RunEvents } from "./events/use-run-events.ts";
import { HooksPanel } from "./hooks/hooks-panel.tsx";
import { TranscriptPanel } from "./transcript/transcript-panel.tsx";

const TABS = ["overview", "hooks", "transcript", "events"] as const;
type Tab = (typeof TABS)[number];

/** The tabs of a run; the open tab is part of the address. */
export function RunTabs({ run, events }: { readonly run: RunDetail; readonly events: RunEvents }) {
  const { tab } = useSearch({ from: "/runs/$id" });
  const navigate = useNavigate({ from: "/runs/$id" });
  const shown: Tab = TABS.find((each) => each === tab) ?? "overview";
  const show = (next: string | null) =>
    navigate({
      search: (before) => ({ ...before, tab: next === null || next === "overview" ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Tabs value={shown} onChange={(next) => void show(next)} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="overview">Overview</Tabs.Tab>
        <Tabs.Tab value="hooks" rightSection={<Count>{run.hooks.length}</Count>}>
          Hooks
        </Tabs.Tab>
        <Tabs.Tab value="transcript">Transcript</Tabs.Tab>
        <Tabs.Tab
          value="events"
          rightSection={<Count>{formatCount(Math.max(run.event_count, events.events.length))}</Count>}
        >
          Events
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="overview">
        <Overview run={run} events={events} />
      </Tabs.Panel>
      <Tabs.Panel value="hooks">
        <HooksPanel run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="transcript">
        <TranscriptPanel run={run} events={events} />
      </Tabs.Panel>
      <Tabs.Panel value="events">
        <EventsPanel run={run} events={events} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Count({ children }: { readonly children: ReactNode }) {
  return (
    <Badge size="sm" variant="default" radius="sm" fw={500}>
      {children}
    </Badge>
  );
}
