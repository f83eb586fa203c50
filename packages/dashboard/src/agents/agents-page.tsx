import { Skeleton, Stack } from "@mantine/core";
import { IconPlus, IconRobot, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { ButtonLink } from "../components/router-links.ts";
import { TypedInput } from "../components/typed-input.tsx";
import { DeletedDrafts } from "../editing/deleted-drafts.tsx";
import { AgentList } from "./agent-list.tsx";
import { searchAgents } from "./agent-search.ts";

/** The list of agents. */
export function AgentsPage() {
  const { search = "" } = useSearch({ from: "/agents" });
  const navigate = useNavigate();
  const mayDefine = useMay("define");
  const { data, error, refetch } = useQuery(queries.agents());
  const found = data && searchAgents(data, search);
  return (
    <>
      <PageHeader title="Agents">
        {mayDefine && (
          <ButtonLink to="/new-agent" leftSection={<IconPlus size={18} aria-hidden />}>
            New agent
          </ButtonLink>
        )}
      </PageHeader>
      {(data === undefined || data.length > 0) && (
        <TypedInput
          mb="md"
          maw={420}
          type="search"
          aria-label="Search agents"
          placeholder="Name, description, tag or hook"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(text) =>
            void navigate({
              to: "/agents",
              search: (before) => ({ ...before, search: text }),
              replace: true,
            })
          }
        />
      )}
      {data !== undefined && <DeletedDrafts kind="agent" names={data.map(({ name }) => name)} />}
      {error !== null && data === undefined && <ProblemState error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && (
        <Stack gap="xs" role="status" aria-label="Loading">
          {[1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} h={48} />
          ))}
        </Stack>
      )}
      {data?.length === 0 && (
        <EmptyState icon={IconRobot} title="No agents yet">
          An agent is a blueprint: a model with tools, or a program, and the hooks of its runs.
          {mayDefine && (
            <ButtonLink to="/new-agent" mt="md" variant="light">
              Create an agent
            </ButtonLink>
          )}
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && found?.length === 0 && (
        <EmptyState icon={IconSearch} title="No matching agents">
          Agents match when every word occurs in the name, description, type, tags or hooks.
        </EmptyState>
      )}
      {found !== undefined && found.length > 0 && <AgentList agents={found} />}
    </>
  );
}
