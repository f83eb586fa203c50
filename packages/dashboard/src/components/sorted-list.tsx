import { Card, Stack, Table, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { moveByArrows } from "./row-arrows.ts";
import { SortableHead, SortChoice } from "./sort-controls.tsx";
import type { SortColumn } from "./sort-rows.ts";
import { useIsNarrow } from "./use-is-narrow.ts";
import { useSort } from "./use-sort.ts";

interface Props<T> {
  readonly label: string;
  readonly rows: readonly T[];
  /** Default: the name, which is unique in most lists. */
  readonly keyOf?: (row: T) => string;
  readonly columns: readonly SortColumn<T>[];
  /** The keys of the columns of numbers. */
  readonly alignedRight?: readonly string[];
  /** Whether rows end with a cell of buttons. */
  readonly hasActions?: boolean;
  readonly renderCells: (row: T) => ReactNode;
  readonly renderCard: (row: T) => ReactNode;
}

/** Rows in a table, or as cards on a small screen, in the order that the user chooses. */
export function SortedList<T extends { readonly name: string }>(props: Props<T>) {
  const { label, rows, columns, alignedRight, hasActions = false, renderCells, renderCard } = props;
  const keyOf = props.keyOf ?? (({ name }: T) => name);
  const control = useSort(columns);
  const sorted = control.apply(rows);
  if (useIsNarrow()) {
    return (
      <>
        <SortChoice control={control} />
        <Stack
          gap="sm"
          component="ul"
          p={0}
          m={0}
          style={{ listStyle: "none" }}
          aria-label={label}
          data-list
          onKeyDown={moveByArrows}
        >
          {sorted.map((row) => (
            <Card key={keyOf(row)} component="li" withBorder padding="sm" data-row>
              {renderCard(row)}
            </Card>
          ))}
        </Stack>
      </>
    );
  }
  return (
    <Table verticalSpacing="sm" highlightOnHover aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <SortableHead
              key={column.key}
              control={control}
              column={column}
              {...(alignedRight?.includes(column.key) && { ta: "right" })}
            />
          ))}
          {hasActions && (
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody data-list onKeyDown={moveByArrows}>
        {sorted.map((row) => (
          <Table.Tr key={keyOf(row)} data-row>
            {renderCells(row)}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
