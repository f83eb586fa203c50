import { Alert, Button, Center, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconCheckupList, IconEye } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useRef } from "react";
import { useIdentity, useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { RunLink } from "../components/links.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { AnchorLink } from "../components/router-links.ts";
import { DecidedApproval } from "./decided-approval.tsx";
import { PendingApprovals } from "./pending-approvals.tsx";

/** Pending and decided approvals. */
export function ApprovalsPage() {
  const { run } = useSearch({ from: "/approvals" });
  const pending = useInfiniteQuery(queries.approvals({ state: "pending", run }));
  const decided = useInfiniteQuery(queries.approvals({ state: "approved,rejected,expired,cancelled", run }));
  const mayDecide = useMay("decide");
  const { scope } = useIdentity();
  const heading = useRef<HTMLHeadingElement>(null);
  const open = pending.data?.pages.flatMap(({ approvals }) => approvals) ?? [];
  const resolved = decided.data?.pages.flatMap(({ approvals }) => approvals) ?? [];
  const error = pending.error ?? decided.error;
  return (
    <>
      <PageHeader title="Approvals" />
      {run !== undefined && (
        <Text size="sm" mb="md">
          Approvals of <RunLink id={run} /> only.{" "}
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
          Your token has the scope "{scope}", which cannot decide approvals. Deciding requires the scope
          "admin".
        </Alert>
      )}
      {(pending.isPending || decided.isPending) && error === null && <Loading />}
      {pending.isSuccess && decided.isSuccess && (
        <Stack gap="xl">
          <Stack gap="sm" component="section" aria-labelledby="waiting">
            <Title order={2} size="h5" id="waiting" ref={heading} tabIndex={-1} style={{ outline: "none" }}>
              Pending
            </Title>
            <PendingApprovals
              pending={open}
              resolved={resolved}
              // The focused element disappears with the approval.
              onDecided={() => heading.current?.focus()}
            />
            {open.length === 0 && (
              <EmptyState icon={IconCheckupList} title="No pending approvals">
                When a hook answers "ask", its run waits here for a decision. The navigation and the tab title
                show how many are pending.
              </EmptyState>
            )}
            <More query={pending} label="Show more" />
          </Stack>
          {resolved.length > 0 && (
            <Stack gap="sm" component="section" aria-labelledby="decided">
              <Title order={2} size="h5" id="decided">
                Decided
              </Title>
              <Stack gap="xs">
                {resolved.map((approval) => (
                  <DecidedApproval key={approval.approval_id} approval={approval} />
                ))}
              </Stack>
              <More query={decided} label="Show older" />
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
