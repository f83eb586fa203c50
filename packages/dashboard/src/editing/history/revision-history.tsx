import { Badge, Button, Group, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RevisionSummary } from "@tenterhook/protocol/runs";
import { queries } from "../../api/queries.ts";
import { useWrite } from "../../api/use-write.ts";
import { ByPerson } from "../../components/by-person.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import { ProblemState } from "../../components/problem-state.tsx";
import { Ago } from "../../components/times.tsx";
import { draftOf } from "../draft.ts";
import { useEditor } from "../editor-context.ts";
import { isSameJson, type JsonObject } from "../json-object.ts";

/** What has revisions. */
interface Subject {
  readonly kind: "agents" | "hooks";
  readonly name: string;
  /** The normal form of what was saved, in which revisions are compared and edited. */
  readonly normal: (value: JsonObject) => JsonObject;
}

interface Props {
  readonly subject: Subject;
  /** A revision cannot replace changes that are not saved. */
  readonly isEdited: boolean;
  /** A revision is in the editor. */
  readonly onRestored: () => void;
}

/** The revisions of an agent or a named hook: who saved them, when, and what changed. */
export function RevisionHistory({ subject, isEdited, onRestored }: Props) {
  const query = useInfiniteQuery(queries.revisions(subject.kind, subject.name));
  const { isReadOnly } = useEditor();
  if (query.isError) return <ProblemState error={query.error} retry={() => void query.refetch()} />;
  if (query.isPending) return <Skeleton h={120} role="status" aria-label="Loading" />;
  const revisions = query.data.pages.flatMap((page) => page.revisions);
  return (
    <Stack gap="xs" maw={860}>
      {isEdited && !isReadOnly && (
        <Text size="sm" role="status">
          Save or discard your changes before you edit an older revision.
        </Text>
      )}
      {revisions.map((revision, index) => (
        <Revision
          key={revision.revision}
          subject={subject}
          revision={revision}
          before={revisions[index + 1]?.revision}
          isCurrent={index === 0}
          isEdited={isEdited}
          onRestored={onRestored}
        />
      ))}
      <MoreButton query={query} label="Show older" />
    </Stack>
  );
}

interface RevisionProps extends Props {
  readonly revision: RevisionSummary;
  /** The revision that it replaced, if it is loaded. */
  readonly before: number | undefined;
  readonly isCurrent: boolean;
}

function Revision({ subject, revision, before, isCurrent, isEdited, onRestored }: RevisionProps) {
  const { isReadOnly, change } = useEditor();
  const client = useQueryClient();
  const { revision: number, saved_at, saved_by } = revision;
  const restore = useWrite({
    mutationFn: () => client.fetchQuery(queries.revision(subject.kind, subject.name, number)),
    onSuccess: (saved) => {
      change(() => draftOf(subject.normal(saved)));
      notifications.show({ message: `Revision ${number} is in the editor. Save it to restore it.` });
      onRestored();
    },
  });
  return (
    <Paper withBorder px="sm" py="xs" component="article" aria-label={`Revision ${number}`}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            Revision {number}
          </Text>
          {isCurrent && (
            <Badge variant="light" radius="sm" tt="none">
              current
            </Badge>
          )}
          <Text size="sm" c="dimmed" component="div">
            <Ago time={saved_at} />
            <ByPerson name={saved_by} />
          </Text>
        </Group>
        {!isCurrent && !isReadOnly && (
          <Button
            size="xs"
            variant="default"
            disabled={isEdited}
            loading={restore.isPending}
            onClick={() => restore.mutate()}
            aria-label={`Edit revision ${number}`}
          >
            Edit this revision
          </Button>
        )}
      </Group>
      {restore.error !== null && <ProblemState error={restore.error} />}
      <Disclosure label="Changes">
        <RevisionChanges subject={subject} revision={number} before={before ?? number - 1} />
      </Disclosure>
    </Paper>
  );
}

interface RevisionChangesProps {
  readonly subject: Subject;
  readonly revision: number;
  /** The revision that it replaced; 0 for the first one. */
  readonly before: number;
}

/** What a revision changed, line by line; all of the first one. */
function RevisionChanges({ subject: { kind, name, normal }, revision, before }: RevisionChangesProps) {
  const saved = useQuery(queries.revision(kind, name, revision));
  const replaced = useQuery({ ...queries.revision(kind, name, before), enabled: before > 0 });
  const error = saved.error ?? replaced.error;
  if (error !== null) {
    return (
      <ProblemState error={error} retry={() => void Promise.all([saved.refetch(), replaced.refetch()])} />
    );
  }
  if (saved.data === undefined || (before > 0 && replaced.data === undefined)) {
    return <Skeleton h={60} role="status" aria-label="Loading" />;
  }
  const now = normal(saved.data);
  if (replaced.data === undefined) return <JsonView value={now} label="The first revision" />;
  const old = normal(replaced.data);
  if (isSameJson(old, now)) return <Text size="sm">It is the same as revision {before}.</Text>;
  return (
    <DiffView before={old} after={now} label={`Revision ${revision} compared with revision ${before}`} />
  );
}
