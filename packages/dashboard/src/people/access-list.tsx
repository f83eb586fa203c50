import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { useState } from "react";
import { SCOPE_LABELS } from "../access/scope-labels.ts";
import type { SortColumn } from "../components/sort-rows.ts";
import { SortedList } from "../components/sorted-list.tsx";
import { Ago } from "../components/times.tsx";
import type { AccessRow } from "./access-rows.ts";
import { RevokeDialog } from "./revoke-dialog.tsx";

/** Everything that gives access, in a table or as cards. */
export function AccessList({ rows }: { readonly rows: readonly AccessRow[] }) {
  // Beside the list: a screen that is turned shows cards instead of a table, and the dialog stays.
  const [revoking, setRevoking] = useState<string>();
  const row = rows.find(({ token_id }) => token_id === revoking);
  return (
    <>
      {row !== undefined && <RevokeDialog row={row} onClose={() => setRevoking(undefined)} />}
      <SortedList
        label="People and tokens"
        rows={rows}
        keyOf={({ token_id }) => token_id}
        columns={ACCESS_COLUMNS}
        hasActions
        renderCells={(row) => <AccessCells row={row} onRevoke={setRevoking} />}
        renderCard={(row) => <AccessCard row={row} onRevoke={setRevoking} />}
      />
    </>
  );
}

interface RowProps {
  readonly row: AccessRow;
  readonly onRevoke: (id: string) => void;
}

function RevokeButton({ row: { name, token_id }, onRevoke }: RowProps) {
  return (
    <Button
      variant="default"
      size="xs"
      flex="none"
      aria-label={`Revoke ${name}`}
      onClick={() => onRevoke(token_id)}
    >
      Revoke
    </Button>
  );
}

function AccessCells({ row, onRevoke }: RowProps) {
  return (
    <>
      <Table.Td maw={280}>
        <Name row={row} />
      </Table.Td>
      <Table.Td>{kindText(row)}</Table.Td>
      <Table.Td>
        <Scope row={row} />
      </Table.Td>
      <Table.Td>{row.used_at === null ? "never" : <Ago time={row.used_at} />}</Table.Td>
      <Table.Td maw={200} style={{ overflowWrap: "anywhere" }}>
        <MadeBy row={row} />
      </Table.Td>
      <Table.Td>
        <Ago time={row.created_at} />
      </Table.Td>
      <Table.Td>{endText(row)}</Table.Td>
      <Table.Td ta="right">
        <RevokeButton row={row} onRevoke={onRevoke} />
      </Table.Td>
    </>
  );
}

function AccessCard({ row, onRevoke }: RowProps) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Name row={row} />
        <Text size="sm" component="div">
          {kindText(row)}, <Scope row={row} />
        </Text>
        <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
          Last use {row.used_at === null ? "never" : <Ago time={row.used_at} />} · made by{" "}
          <MadeBy row={row} />, <Ago time={row.created_at} /> · ends {endText(row)}
        </Text>
      </div>
      <RevokeButton row={row} onRevoke={onRevoke} />
    </Group>
  );
}

function Name({ row: { name, isYou, token_id } }: { readonly row: AccessRow }) {
  return (
    <Group gap={6} title={token_id}>
      <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
        <bdi>{name}</bdi>
      </Text>
      {isYou && (
        <Badge variant="light" size="sm" radius="sm" tt="none">
          you
        </Badge>
      )}
    </Group>
  );
}

/** A scope, with the runner that it is limited to. */
function Scope({ row: { scope, runner_name, runner_tags } }: { readonly row: AccessRow }) {
  const limits = [runner_name ?? "", runner_tags === null ? "" : `tags: ${runner_tags.join(", ") || "none"}`];
  const limit = limits.filter((part) => part !== "").join("; ");
  return (
    <span title={SCOPE_LABELS[scope]}>
      {scope}
      {limit !== "" && ` (${limit})`}
    </span>
  );
}

function MadeBy({ row: { madeBy } }: { readonly row: AccessRow }) {
  return madeBy === undefined ? "the coordinator" : <bdi>{madeBy}</bdi>;
}

function kindText({ kind }: AccessRow): string {
  return kind === "session" ? "person" : "token";
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

function endText({ expires_at }: AccessRow): string {
  return expires_at === null ? "never" : DAY.format(new Date(expires_at));
}

/** A time that was never sorts as the oldest. */
const sortTime = (time: string | null) => (time === null ? 0 : Date.parse(time));

const ACCESS_COLUMNS = [
  { key: "name", label: "Name", value: ({ name }) => name },
  { key: "kind", label: "Kind", value: kindText },
  { key: "scope", label: "Scope", value: ({ scope }) => scope },
  { key: "used", label: "Last use", value: ({ used_at }) => sortTime(used_at), isDescendingFirst: true },
  { key: "maker", label: "Made by", value: ({ madeBy = "" }) => madeBy },
  {
    key: "created",
    label: "Created",
    value: ({ created_at }) => sortTime(created_at),
    isDescendingFirst: true,
  },
  {
    key: "ends",
    label: "Ends",
    value: ({ expires_at }) => (expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)),
  },
] as const satisfies readonly SortColumn<AccessRow>[];
