import { Alert, Button, Center, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconCheckupList, IconEye } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useRef } from "react";
import { useIdentity, useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { RunLink } from "../parts/links.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { ProblemState } from "../parts/problem-state.tsx";
import { AnchorLink } from "../parts/router-links.ts";
import { DecidedApproval } from "./decided-approval.tsx";
import { PendingApprovals } from "./pending-approvals.tsx";

/** What hooks asked a person to decide, and what became of it. */
export function ApprovalsPage() {
  const { run } = useSearch({ from: "/approvals" });
  const pending = useInfiniteQuery(queries.approvals({ state: "pending", run }));
  const decided = useInfiniteQuery(queries.approvals({ state: "approved,rejected,expired,cancelled", run }));
  const mayDecide = useMay("decide");
  const { scope } = useIdentity();
  const heading = useRef<HTMLHeadingElement>(null);
  const open = pending.data?.pages.flatMap(({ approvals }) => approvals) ?? [];
  const settled = decided.data?.pages.flatMap(({ approvals }) => approvals) ?? [];
  const error = pending.error ?? decided.error;
  return (
    <>
      <PageHeader title="Approvals" />
      {run !== undefined && (
        <Text size="sm" mb="md">
          Only what was asked about <RunLink id={run} />.{" "}
          <AnchorLink to="/approvals" search={{}} inherit>
            Show all
          </AnchorLink>
        </Text>
      )}
      {error !== null && (
        <ProblemState error={error} retry={() => void Promise.all([pending.refetch(), decided.refetch()])} />
      )}
      {!mayDecide && open.length > 0 && (
        <Alert color="gray" variant="light" icon={<IconEye aria-hidden />} mb="md">
          You can see what is asked, and not decide it: your token has the scope "{scope}", and deciding needs
          an administrator's.
        </Alert>
      )}
      {(pending.isPending || decided.isPending) && error === null && <Loading />}
      {pending.isSuccess && decided.isSuccess && (
        <Stack gap="xl">
          <Stack gap="sm" component="section" aria-labelledby="waiting">
            <Title order={2} size="h5" id="waiting" ref={heading} tabIndex={-1} style={{ outline: "none" }}>
              Waiting for a person
            </Title>
            <PendingApprovals
              pending={open}
              settled={settled}
              // What was focused is gone with the question.
              onDecided={() => heading.current?.focus()}
            />
            {open.length === 0 && (
              <EmptyState icon={IconCheckupList} title="Nothing to decide">
                When a hook answers "ask", its run waits here until somebody approves or rejects it. The
                number beside "Approvals", and in the title of this tab, tells when there is something.
              </EmptyState>
            )}
            <More query={pending} label="Show more that wait" />
          </Stack>
          {settled.length > 0 && (
            <Stack gap="sm" component="section" aria-labelledby="decided">
              <Title order={2} size="h5" id="decided">
                Decided
              </Title>
              <Stack gap="xs">
                {settled.map((approval) => (
                  <DecidedApproval key={approval.approval_id} approval={approval} />
                ))}
              </Stack>
              <More query={decided} label="Show older ones" />
            </Stack>
          )}
        </Stack>
      )}
    </>
  );
}

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

function More({ query, label }: { readonly query: Pages; readonly label: string }) {
  if (!query.hasNextPage) return null;
  return (
    <Center>
      <Button
        variant="default"
        size="xs"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {label}
      </Button>
    </Center>
  );
}

function Loading() {
  return (
    <Stack aria-label="Loading" role="status">
      <Skeleton h={20} w={180} />
      <Skeleton h={190} />
      <Skeleton h={190} />
    </Stack>
  );
}
