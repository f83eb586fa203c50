import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { countText } from "../components/count-text.ts";
import classes from "./runs-table.module.css";

/** The number of new runs above the visible rows; a click scrolls to them. */
export function NewRunsPill({ count }: { readonly count: number }) {
  return (
    <div className={classes.pill} role="status">
      {count > 0 && (
        <Button
          size="compact-sm"
          radius="xl"
          px="md"
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={() => window.scrollTo({ top: 0 })}
        >
          {countText(count, "new run")}
        </Button>
      )}
    </div>
  );
}
