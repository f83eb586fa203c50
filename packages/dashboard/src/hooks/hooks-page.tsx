import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconFishHook, IconPlus } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { ButtonLink } from "../components/router-links.ts";
import { DeletedDrafts } from "../editing/deleted-drafts.tsx";
import { readFilters, sinceTime } from "../runs/run-filters.ts";
import { TimeFilter } from "../runs/time-filter.tsx";
import { HookList } from "./hook-list.tsx";

/** Every hook in use, wherever it is defined, with its results. */
export function HooksPage() {
  const mayDefine = useMay("define");
  const { since, from, to } = readFilters(useSearch({ from: "/hooks" }));
  const navigate = useNavigate({ from: "/hooks" });
  const { data, error, refetch } = useQuery({
    ...queries.hooksInUse({ from, to }, since ?? "", () => sinceTime(since, Date.now())),
    placeholderData: keepPreviousData,
  });
  const named = data?.filter(({ source, definition }) => source === "named" && definition !== null);
  return (
    <>
      <PageHeader title="Hooks">
        {mayDefine && (
          <ButtonLink to="/new-hook" leftSection={<IconPlus size={18} aria-hidden />}>
            New hook
          </ButtonLink>
        )}
      </PageHeader>
      {named !== undefined && <DeletedDrafts kind="hook" names={named.map(({ name }) => name)} />}
      {error !== null && data === undefined && <ProblemState error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && (
        <Stack gap="xs" role="status" aria-label="Loading">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} h={72} />
          ))}
        </Stack>
      )}
      {data?.length === 0 && (
        <EmptyState icon={IconFishHook} title="No hooks yet">
          A named hook is defined once and used by several agents. Hooks of a single agent are in its editor,
          and hooks on runners appear here when they act.
          {mayDefine && (
            <ButtonLink to="/new-hook" mt="md" variant="light">
              Create a hook
            </ButtonLink>
          )}
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <Group gap="xs" mb="md">
            <Text size="sm">Results in runs created:</Text>
            <TimeFilter
              value={{ since, from, to }}
              onChange={(time) =>
                void navigate({ search: (before) => ({ ...before, ...time }), replace: true })
              }
            />
          </Group>
          <HookList hooks={data} time={{ since, from, to }} />
          <Text size="xs" mt="md" maw={720}>
            A number is the number of calls and links to their runs. Hooks on runners (HOOK.md and code) are
            listed once they were called in a stored run.
          </Text>
        </>
      )}
    </>
  );
}
