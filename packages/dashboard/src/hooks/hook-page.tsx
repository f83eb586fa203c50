import { Card, Skeleton, Stack, Text } from "@mantine/core";
import { IconFishHook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { NamedHook } from "@tenterhook/protocol/runs";
import { useMay } from "../access/identity.ts";
import { isProblem } from "../api/problem.ts";
import { queries } from "../api/queries.ts";
import { ByPerson } from "../components/by-person.tsx";
import { MissingState } from "../components/missing-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { Ago } from "../components/times.tsx";
import { DeleteButton } from "../editing/delete-button.tsx";
import { useStoredBase } from "../editing/use-stored-base.ts";
import { readRange } from "../insights/insight-range.ts";
import { hookAddress, savedHook, useEditedHook } from "./edited-hook.ts";
import { EnforceNamedHook } from "./enforce-button.tsx";
import { HookEditor } from "./hook-editor.tsx";
import { HookInsights } from "./insights/hook-insights.tsx";
import { RecentTrials } from "./trial/recent-trials.tsx";
import { TryHook } from "./trial/try-hook.tsx";
import { UsedBy } from "./used-by.tsx";

/** One named hook: what it decided; read, edit, delete. */
export function HookPage() {
  const { name } = useParams({ from: "/hooks/$name" });
  const { data, error, refetch } = useQuery(queries.hook(name));
  const isDeleted = isProblem(error, "not_found");
  if (data !== undefined) return <Hook key={name} hook={data} isDeleted={isDeleted} />;
  return (
    <>
      <PageHeader title={name} />
      {error === null ? (
        <Stack gap="md" maw={860} role="status" aria-label="Loading">
          <Skeleton h={72} />
          <Skeleton h={160} />
        </Stack>
      ) : isDeleted ? (
        <UnknownHook key={name} name={name} />
      ) : (
        <ProblemState error={error} retry={() => void refetch()} />
      )}
    </>
  );
}

/** A hook that does not exist. The user may still have a draft of it, which can be created again. */
function UnknownHook({ name }: { readonly name: string }) {
  const saved = useStoredBase(hookAddress(name), useMay("define"));
  const edited = useEditedHook(saved && { name, saved, isDeleted: true });
  if (saved !== undefined) return <HookEditor edited={edited} mayChange />;
  return (
    <MissingState icon={IconFishHook} title={`Hook ${name} not found`} list="/hooks">
      It may have been deleted.
    </MissingState>
  );
}

function Hook({ hook, isDeleted }: { readonly hook: NamedHook; readonly isDeleted: boolean }) {
  const { name, revision, etag, updated_at, updated_by, used_by } = hook;
  const mayChange = useMay("define");
  const mayTry = useMay("run");
  const { range } = useSearch({ from: "/hooks/$name" });
  const navigate = useNavigate({ from: "/hooks/$name" });
  const edited = useEditedHook({ name, saved: savedHook(hook), isDeleted });
  return (
    <>
      <PageHeader title={name}>
        {mayChange && !isDeleted && (
          <DeleteButton
            list="hooks"
            name={name}
            etag={etag}
            draft={edited.address}
            consequence="No agent uses it. Existing runs keep it."
            usedBy={used_by.length === 0 ? undefined : <UsedBy agents={used_by} />}
          />
        )}
      </PageHeader>
      <Text size="sm" mb="md" component="div">
        Revision {revision}, saved <Ago time={updated_at} />
        <ByPerson name={updated_by} />.{" "}
        {used_by.length === 0 ? (
          "No agent uses it."
        ) : (
          <>
            Used by <UsedBy agents={used_by} />.
          </>
        )}
        {!mayChange && " You have read-only access."}
      </Text>
      <HookInsights
        hook={`named:${name}`}
        definition={hook.definition}
        enforcing={isDeleted ? null : <EnforceNamedHook hook={hook} />}
        range={readRange(range ?? "week")}
        onRange={(chosen) =>
          void navigate({ search: (before) => ({ ...before, range: chosen }), replace: true })
        }
      />
      {mayTry && !isDeleted && (
        <Card withBorder padding="md" mb="lg" maw={860} component="section" aria-label="Trial">
          <TryHook hook={{ name, agents: used_by }} />
        </Card>
      )}
      {!isDeleted && <RecentTrials hook={name} />}
      <HookEditor name={name} edited={edited} mayChange={mayChange} />
    </>
  );
}
