import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { DiffView } from "../../components/diff-view.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { ProblemState } from "../../components/problem-state.tsx";
import { isSameJson } from "../../editing/json-object.ts";
import { normalBlueprint } from "../editor/blueprint-problems.ts";

interface Props {
  readonly agent: string;
  readonly revision: number;
  /** The revision that it replaced; 0 for the first one. */
  readonly before: number;
}

/** What a revision changed, line by line; the whole blueprint of the first one. */
export function RevisionChanges({ agent, revision, before }: Props) {
  const saved = useQuery(queries.revision(agent, revision));
  const replaced = useQuery({ ...queries.revision(agent, before), enabled: before > 0 });
  const error = saved.error ?? replaced.error;
  if (error !== null) {
    return (
      <ProblemState error={error} retry={() => void Promise.all([saved.refetch(), replaced.refetch()])} />
    );
  }
  if (saved.data === undefined || (before > 0 && replaced.data === undefined)) {
    return <Skeleton h={60} role="status" aria-label="Loading" />;
  }
  const now = normalBlueprint(saved.data.blueprint);
  if (replaced.data === undefined) return <JsonView value={now} label="The first revision" />;
  const old = normalBlueprint(replaced.data.blueprint);
  if (isSameJson(old, now)) return <Text size="sm">It has the same blueprint as revision {before}.</Text>;
  return (
    <DiffView before={old} after={now} label={`Revision ${revision} compared with revision ${before}`} />
  );
}
