import { Skeleton, Stack } from "@mantine/core";
import { IconFishHook, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { ButtonLink } from "../components/router-links.ts";
import { DeletedDrafts } from "../editing/deleted-drafts.tsx";
import { HookList } from "./hook-list.tsx";

/** The named hooks, with their users and recent results. */
export function HooksPage() {
  const mayDefine = useMay("define");
  const { data, error, refetch } = useQuery(queries.hooks());
  return (
    <>
      <PageHeader title="Hooks">
        {mayDefine && (
          <ButtonLink to="/new-hook" leftSection={<IconPlus size={18} aria-hidden />}>
            New hook
          </ButtonLink>
        )}
      </PageHeader>
      {data !== undefined && <DeletedDrafts kind="hook" names={data.map(({ name }) => name)} />}
      {error !== null && data === undefined && <ProblemState error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && (
        <Stack gap="xs" role="status" aria-label="Loading">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} h={72} />
          ))}
        </Stack>
      )}
      {data?.length === 0 && (
        <EmptyState icon={IconFishHook} title="No named hooks yet">
          A named hook is defined once and used by several agents. Hooks of a single agent are in its editor.
          {mayDefine && (
            <ButtonLink to="/new-hook" mt="md" variant="light">
              Create a hook
            </ButtonLink>
          )}
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && <HookList hooks={data} />}
    </>
  );
}
