import { Button, Center } from "@mantine/core";

interface Props {
  /** An infinite query. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  readonly label: string;
}

/** Reads the next page of a list; nothing when all is read. */
export function MoreButton({ query, label }: Props) {
  if (!query.hasNextPage) return null;
  return (
    <Center>
      <Button
        variant="default"
        size="xs"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {label}
      </Button>
    </Center>
  );
}
