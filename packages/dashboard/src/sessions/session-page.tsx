import { Badge, Breadcrumbs, Group, Skeleton, Stack, Tabs, Text, Title } from "@mantine/core";
import { IconSitemap } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { SessionDetail, SessionSummary } from "@tenterhook/protocol/runs";
import { isProblem } from "../api/problem.ts";
import { queries } from "../api/queries.ts";
import { countText } from "../components/count-text.ts";
import { CopyIcon } from "../components/json-view.tsx";
import { AgentLink, SessionLink, shortId } from "../components/links.tsx";
import { MissingState } from "../components/missing-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { AnchorLink } from "../components/router-links.ts";
import { Ago } from "../components/times.tsx";
import { ResumeSession } from "./resume-session.tsx";
import { SessionConversation } from "./session-conversation.tsx";
import { LINK_LABELS } from "./session-links.ts";
import { SessionRuns } from "./session-runs.tsx";
import { SessionTree } from "./session-tree.tsx";

/** A session: its ancestors, its runs, its child sessions and the conversation. */
export function SessionPage() {
  const { id } = useParams({ from: "/sessions/$id" });
  const { data, error, refetch } = useQuery(queries.session(id));
  if (isProblem(error, "not_found")) {
    return (
      <>
        <PageHeader title="Session" />
        <MissingState icon={IconSitemap} title="Session not found" list="/sessions">
          It may have been deleted because of its age.
        </MissingState>
      </>
    );
  }
  if (data !== undefined) return <Session session={data} />;
  return (
    <>
      <PageHeader title="Session" />
      {error === null ? (
        <Stack role="status" aria-label="Loading">
          <Skeleton h={20} w={320} />
          <Skeleton h={140} />
          <Skeleton h={140} />
        </Stack>
      ) : (
        <ProblemState error={error} retry={() => void refetch()} />
      )}
    </>
  );
}

function Session({ session }: { readonly session: SessionDetail }) {
  const { session_id, agent_name, parent_link } = session;
  const link = parent_link === null ? undefined : LINK_LABELS[parent_link];
  return (
    <>
      <Ancestors session={session} />
      <PageHeader
        title="Session"
        id={shortId(session_id)}
        beside={
          <>
            <CopyIcon text={session_id} label="Copy the session id" />
            {link !== undefined && (
              <Badge variant="default" radius="sm" tt="none" fw={500}>
                {link.label}
              </Badge>
            )}
          </>
        }
      >
        <ResumeSession session={session} />
      </PageHeader>
      <Group gap="xs" mb="lg">
        <Text size="sm" component="div">
          Agent <AgentLink name={agent_name} />, created <Ago time={session.created_at} />, updated{" "}
          <Ago time={session.updated_at} />.{link !== undefined && ` ${link.means}.`}
        </Text>
      </Group>
      <SessionTabs session={session} />
    </>
  );
}

/** The tabs of a session; the open tab is part of the address. */
function SessionTabs({ session }: { readonly session: SessionDetail }) {
  const { tab } = useSearch({ from: "/sessions/$id" });
  const navigate = useNavigate({ from: "/sessions/$id" });
  const show = (next: string | null) =>
    navigate({
      search: (before) => ({ ...before, tab: next === "conversation" ? next : undefined }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Tabs
      value={tab === "conversation" ? tab : "overview"}
      onChange={(next) => void show(next)}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="overview">Overview</Tabs.Tab>
        <Tabs.Tab value="conversation">Conversation</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="overview">
        <Overview session={session} />
      </Tabs.Panel>
      <Tabs.Panel value="conversation">
        {/* A new key resets the search when the session changes. */}
        <SessionConversation key={session.session_id} session={session} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** The runs and the child sessions of a session. */
function Overview({ session }: { readonly session: SessionDetail }) {
  const { session_id, run_count, runs, children, child_count } = session;
  return (
    <Stack gap="xl">
      <Stack gap="sm" component="section" aria-labelledby="runs">
        <Title order={2} size="h5" id="runs">
          {countText(run_count, "run")}
        </Title>
        <SessionRuns runs={runs} runCount={run_count} sessionId={session_id} />
      </Stack>
      {child_count > 0 && (
        <Stack gap="sm" component="section" aria-labelledby="children">
          <Title order={2} size="h5" id="children">
            {countText(child_count, "child session")}
          </Title>
          <SessionTree sessions={children} label="Child sessions" />
          {child_count > children.length && (
            <Text size="sm" c="dimmed">
              Showing the latest {children.length}.
            </Text>
          )}
        </Stack>
      )}
    </Stack>
  );
}

/** The path from the outermost session to this one. */
function Ancestors({ session }: { readonly session: SessionSummary }) {
  const { data = [] } = useQuery(queries.ancestors(session.parent_session_id));
  return (
    <Breadcrumbs
      component="nav"
      aria-label="Breadcrumb"
      mb={4}
      separatorMargin={6}
      styles={{
        root: { flexWrap: "wrap" },
        breadcrumb: { whiteSpace: "normal", overflowWrap: "anywhere", minWidth: 0 },
      }}
    >
      <AnchorLink to="/sessions" size="sm" activeOptions={{ exact: true }}>
        Sessions
      </AnchorLink>
      {data.map(({ session_id, agent_name }) => (
        <SessionLink key={session_id} id={session_id} ff="inherit">
          {agent_name}{" "}
          <Text span ff="monospace" inherit>
            {shortId(session_id)}
          </Text>
        </SessionLink>
      ))}
      <Text size="sm" c="dimmed" aria-current="page">
        {session.agent_name}
      </Text>
    </Breadcrumbs>
  );
}
