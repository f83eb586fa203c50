import type { RunSummary } from "@tenterhook/protocol/runs";
import { countText } from "../components/count-text.ts";
import classes from "./run-row.module.css";

interface Props {
  readonly rows: readonly RunSummary[];
  readonly selected: ReadonlySet<string>;
  readonly onChange: (isSelected: boolean) => void;
}

/** Selects all rows that are loaded, or none. */
export function SelectAll({ rows, selected, onChange }: Props) {
  const count = selected.size === 0 ? 0 : rows.filter(({ run_id }) => selected.has(run_id)).length;
  const isAll = count > 0 && count === rows.length;
  return (
    <input
      type="checkbox"
      className={classes.select}
      aria-label={
        rows.length === 1 ? "Select the loaded run" : `Select all ${countText(rows.length, "loaded run")}`
      }
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && !isAll;
      }}
      onChange={() => onChange(!isAll)}
    />
  );
}
