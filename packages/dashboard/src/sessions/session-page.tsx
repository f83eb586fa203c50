import { Badge, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconSitemap } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { SessionDetail } from "@tenterhook/protocol/runs";
import { isProblem } from "../api/problem-error.ts";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { CopyIcon } from "../parts/json-view.tsx";
import { AgentLink, shortId } from "../parts/links.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { ProblemState } from "../parts/problem-state.tsx";
import { AnchorLink } from "../parts/router-links.ts";
import { Ago } from "../parts/times.tsx";
import { Ancestors } from "./ancestors.tsx";
import { ResumeSession } from "./resume-session.tsx";
import { childrenText, LINK_WORDS } from "./session-links.ts";
import { SessionRuns } from "./session-runs.tsx";
import { SessionTree } from "./session-tree.tsx";

/** A session: where it stands in its tree, what it was asked, and what came of that. */
export function SessionPage() {
  const { id } = useParams({ from: "/sessions/$id" });
  const { data, error, refetch } = useQuery(queries.session(id));
  if (isProblem(error, "not_found")) {
    return (
      <>
        <PageHeader title="Session" />
        <EmptyState icon={IconSitemap} title="There is no such session">
          It may have been cleared away, as old sessions are.{" "}
          <AnchorLink to="/sessions" inherit>
            Go to the sessions
          </AnchorLink>
        </EmptyState>
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
  const { session_id, agent_name, parent_link, run_count, runs, children, child_count } = session;
  const link = parent_link === null ? undefined : LINK_WORDS[parent_link];
  return (
    <>
      <Ancestors session={session} />
      <PageHeader
        title={`Session ${shortId(session_id)}`}
        beside={
          <>
            <CopyIcon text={session_id} label="Copy the session's id" />
            {link !== undefined && (
              <Badge variant="default" radius="sm" tt="none" fw={500}>
                {link.word}
              </Badge>
            )}
          </>
        }
      >
        <ResumeSession session={session} />
      </PageHeader>
      <Group gap="xs" mb="lg">
        <Text size="sm" component="div">
          Agent <AgentLink name={agent_name} />, begun <Ago time={session.created_at} />, updated{" "}
          <Ago time={session.updated_at} />.{link !== undefined && ` ${link.means}.`}
        </Text>
      </Group>
      <Stack gap="xl">
        <Stack gap="sm" component="section" aria-labelledby="runs">
          <Title order={2} size="h5" id="runs">
            {run_count === 1 ? "1 run" : `${run_count} runs`}
          </Title>
          <SessionRuns runs={runs} runCount={run_count} sessionId={session_id} />
        </Stack>
        {child_count > 0 && (
          <Stack gap="sm" component="section" aria-labelledby="children">
            <Title order={2} size="h5" id="children">
              {childrenText(child_count)} below it
            </Title>
            <SessionTree sessions={children} label="Sessions below this one" />
            {child_count > children.length && (
              <Text size="sm" c="dimmed">
                These are the first {children.length}.
              </Text>
            )}
          </Stack>
        )}
      </Stack>
    </>
  );
}
