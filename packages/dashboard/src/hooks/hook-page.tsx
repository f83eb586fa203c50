import { Card, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconFishHook } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { NamedHook } from "@tenterhook/protocol/runs";
import { useMay } from "../access/identity.ts";
import { call } from "../api/call.ts";
import { isProblem } from "../api/problem-error.ts";
import { queries } from "../api/queries.ts";
import { DeleteButton } from "../editing/delete-button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { ProblemState } from "../parts/problem-state.tsx";
import { AnchorLink } from "../parts/router-links.ts";
import { Ago } from "../parts/times.tsx";
import { useEditedHook } from "./edited-hook.ts";
import { HookDrawings, HookNumbers } from "./hook-drawings.tsx";
import { HookEditor } from "./hook-editor.tsx";
import { UsedBy } from "./used-by.tsx";

/** One named hook: read it, change it for everybody who uses it, delete it. */
export function HookPage() {
  const { name } = useParams({ from: "/hooks/$name" });
  const { data, error, refetch } = useQuery(queries.hook(name));
  if (data !== undefined) return <Hook key={name} hook={data} />;
  return (
    <>
      <PageHeader title={name} />
      {error === null ? (
        <Stack gap="md" maw={860} role="status" aria-label="Loading">
          <Skeleton h={72} />
          <Skeleton h={160} />
        </Stack>
      ) : isProblem(error, "not_found") ? (
        <EmptyState icon={IconFishHook} title={`There is no hook named ${name}`}>
          It may have been deleted.{" "}
          <AnchorLink to="/hooks" inherit>
            See all hooks
          </AnchorLink>
        </EmptyState>
      ) : (
        <ProblemState error={error} retry={() => void refetch()} />
      )}
    </>
  );
}

function Hook({ hook }: { readonly hook: NamedHook }) {
  const { name, etag, updated_at, used_by, counts } = hook;
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayChange = useMay("define");
  const edited = useEditedHook(hook);
  return (
    <>
      <PageHeader title={name}>
        {mayChange && (
          <DeleteButton
            what={`the hook ${name}`}
            consequence="No agent uses it. Runs that have it keep it."
            usedBy={used_by.length === 0 ? undefined : <UsedBy users={used_by} />}
            remove={() => call("DELETE /hooks/{name}", { params: { name }, headers: { "If-Match": etag } })}
            onRefused={() => void client.invalidateQueries({ queryKey: ["hooks"] })}
            onDeleted={() => {
              void navigate({ to: "/hooks", ignoreBlocker: true }).then(() => {
                client.removeQueries({ queryKey: queries.hook(name).queryKey });
                void client.invalidateQueries({ queryKey: ["hooks"] });
              });
            }}
          />
        )}
      </PageHeader>
      <Card withBorder padding="md" mb="lg" maw={860} component="section" aria-label="How it does">
        <Group gap="xl">
          <HookDrawings counts={counts} />
          <div>
            {counts.ran > 0 && <HookNumbers counts={counts} />}
            <Text size="sm" component="div">
              Saved <Ago time={updated_at} />.{" "}
              {used_by.length === 0 ? (
                "No agent uses it."
              ) : (
                <>
                  Used by <UsedBy users={used_by} />.
                </>
              )}
              {!mayChange && " You may look at it, and not change it."}
            </Text>
          </div>
        </Group>
      </Card>
      <HookEditor edited={edited} mayChange={mayChange} />
    </>
  );
}
