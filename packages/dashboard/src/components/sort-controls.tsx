import { ActionIcon, Group, NativeSelect, Table, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { nextSort, type SortColumn } from "./sort-rows.ts";
import type { SortControl } from "./use-sort.ts";

interface HeadProps<T> {
  readonly control: SortControl<T>;
  readonly column: SortColumn<T>;
  readonly ta?: "right";
}

/** The head of a column; a click sorts by it. */
export function SortableHead<T>({ control: { sort, change }, column, ta }: HeadProps<T>) {
  const isKey = sort.key === column.key;
  const order = sort.isDescending ? "descending" : "ascending";
  return (
    <Table.Th aria-sort={isKey ? order : "none"} {...(ta !== undefined && { ta })}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        c="inherit"
        style={{ whiteSpace: "nowrap" }}
        onClick={() => change(nextSort(column, sort))}
      >
        {column.label}
        <span aria-hidden style={{ visibility: isKey ? "visible" : "hidden" }}>
          {sort.isDescending ? " ↓" : " ↑"}
        </span>
      </UnstyledButton>
    </Table.Th>
  );
}

/** The same choice for cards, which have no heads. */
export function SortChoice<T>({ control: { columns, sort, change } }: Pick<HeadProps<T>, "control">) {
  const { isDescending } = sort;
  return (
    <Group gap={4} mb="sm" wrap="nowrap">
      <NativeSelect
        size="xs"
        aria-label="Sort by"
        data={columns.map(({ key, label }) => ({ value: key, label: `Sort by ${label.toLowerCase()}` }))}
        value={sort.key}
        onChange={({ currentTarget }) => {
          const column = columns.find(({ key }) => key === currentTarget.value);
          if (column !== undefined) change(nextSort(column, { key: "", isDescending }));
        }}
      />
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Reverse the order"
        aria-pressed={isDescending}
        onClick={() => change({ ...sort, isDescending: !isDescending })}
      >
        {isDescending ? <IconArrowDown size={16} aria-hidden /> : <IconArrowUp size={16} aria-hidden />}
      </ActionIcon>
    </Group>
  );
}
