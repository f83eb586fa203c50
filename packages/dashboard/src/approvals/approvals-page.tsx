import { Alert, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { RunLink } from "../components/links.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { AnchorLink } from "../components/router-links.ts";
import { ApprovalFilters } from "./approval-filters.tsx";
import { CannotDecide } from "./cannot-decide.tsx";
import { DecidedApproval } from "./decided-approval.tsx";
import { QuestionBoard } from "./question-board.tsx";
import { useQuestionBoard } from "./use-question-board.ts";

/** Which approvals are shown; all of it is in the address. */
interface Filters {
  readonly run: string | undefined;
  readonly agent: string | undefined;
  readonly hook: string | undefined;
}

export function ApprovalsPage() {
  const { run, agent, hook } = useSearch({ from: "/approvals" });
  const navigate = useNavigate({ from: "/approvals" });
  return (
    <>
      <PageHeader title="Approvals" />
      <ApprovalFilters
        agent={agent}
        hook={hook}
        onChange={(change) =>
          void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
        }
      />
      {/* Another filter is another board: its cards are laid out anew. */}
      <Approvals key={JSON.stringify([run, agent, hook])} filters={{ run, agent, hook }} />
    </>
  );
}

/** Pending and decided approvals. */
function Approvals({ filters }: { readonly filters: Filters }) {
  const { run } = filters;
  const isFiltered = filters.agent !== undefined || filters.hook !== undefined;
  const pending = useInfiniteQuery(queries.approvals({ state: "pending", ...filters }));
  const decided = useInfiniteQuery(
    queries.approvals({ state: "approved,rejected,expired,cancelled", ...filters }),
  );
  const mayDecide = useMay("decide");
  const open = pending.data?.pages.flatMap(({ approvals }) => approvals) ?? [];
  const resolved = decided.data?.pages.flatMap(({ approvals }) => approvals) ?? [];
  const board = useQuestionBoard(open, resolved);
  const onBoard = new Set(board.cards.map(({ approval_id }) => approval_id));
  const others = resolved.filter(({ approval_id }) => !onBoard.has(approval_id));
  const error = pending.error ?? decided.error;
  return (
    <>
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
          <CannotDecide />
        </Alert>
      )}
      {(pending.isPending || decided.isPending) && error === null && <Loading />}
      {pending.data !== undefined && decided.data !== undefined && (
        <Stack gap="xl">
          <QuestionBoard board={board} isFiltered={isFiltered}>
            <MoreButton query={pending} label="Show more" />
          </QuestionBoard>
          {others.length > 0 && (
            <Stack gap="sm" component="section" aria-labelledby="decided">
              <div>
                <Title order={2} size="h5" id="decided">
                  Decided
                </Title>
                {/* As the coordinator reads them, page by page. Sorting what is loaded would be another order with each page. */}
                <Text size="sm" c="dimmed">
                  In the order of the questions, the newest question first
                </Text>
              </div>
              <Stack gap="xs">
                {others.map((approval) => (
                  <DecidedApproval key={approval.approval_id} approval={approval} />
                ))}
              </Stack>
              <MoreButton query={decided} label="Show older" />
            </Stack>
          )}
        </Stack>
      )}
    </>
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
