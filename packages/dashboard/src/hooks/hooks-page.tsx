import { Skeleton, Stack } from "@mantine/core";
import { IconFishHook, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { ProblemState } from "../parts/problem-state.tsx";
import { ButtonLink } from "../parts/router-links.ts";
import { HookList } from "./hook-list.tsx";

/** The hooks that have a name: who uses them, and how they do. */
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
      {error !== null && data === undefined && <ProblemState error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && (
        <Stack gap="xs" role="status" aria-label="Loading">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} h={72} />
          ))}
        </Stack>
      )}
      {data?.length === 0 && (
        <EmptyState icon={IconFishHook} title="No hook has a name yet">
          A hook with a name is defined once, for many agents to refer to. Hooks that one agent has for itself
          are in its editor.
          {mayDefine && (
            <ButtonLink to="/new-hook" mt="md" variant="light">
              Make the first one
            </ButtonLink>
          )}
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && <HookList hooks={data} />}
    </>
  );
}
