import { Button } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { formatCount } from "../components/format-count.ts";

interface Props {
  readonly count: number;
  readonly show: () => void;
}

/** Questions that came since the cards were laid out wait behind this button, so that none takes the place of another. */
export function NewQuestions({ count, show }: Props) {
  return (
    <div role="status">
      {count > 0 && (
        <Button
          size="compact-sm"
          radius="xl"
          px="md"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={show}
        >
          {formatCount(count)} new
        </Button>
      )}
    </div>
  );
}
