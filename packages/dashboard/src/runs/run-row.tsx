import type { Prices, RunSummary } from "@tenterhook/protocol/runs";
import { memo } from "react";
import { shortId } from "../components/links.tsx";
import { RowLink } from "../components/row-link.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { RUN_CELLS } from "./run-cell.tsx";
import { findReason, type RunColumn } from "./run-columns.ts";
import classes from "./run-row.module.css";

export type OnSelect = (id: string, isSelected: boolean, isRange: boolean) => void;

interface Props {
  readonly run: RunSummary;
  readonly columns: readonly RunColumn[];
  readonly prices: Prices | undefined;
  readonly index: number;
  /** From the top of the list, in pixels. */
  readonly top: number;
  /** Whether Tab leads to this row; the arrow keys lead to the others. */
  readonly isTabStop: boolean;
  readonly isSelected: boolean;
  /** Undefined for users who cannot stop or retry runs. */
  readonly onSelect: OnSelect | undefined;
}

/**
 * A run on one line, or on a card on a narrow screen. The whole row is a link. Scrolling renders dozens of rows a second, so it
 * uses plain elements, which are cheaper than the library's components.
 */
export const RunRow = memo(function RunRow(props: Props) {
  const { run, columns, prices, index, top, isTabStop, isSelected, onSelect } = props;
  const { run_id, agent_name } = run;
  const tabIndex = isTabStop ? 0 : -1;
  const title = [`${agent_name}, ${run_id}`, run.input_line, findReason(run)];
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      data-run={run_id}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map(({ name }) => {
        if (name === "status") {
          return (
            <td key={name} className={classes.status}>
              {onSelect !== undefined && (
                <input
                  type="checkbox"
                  className={classes.select}
                  aria-label={`Select ${agent_name} ${shortId(run_id)}`}
                  tabIndex={tabIndex}
                  checked={isSelected}
                  onChange={({ currentTarget, nativeEvent }) =>
                    onSelect(run_id, currentTarget.checked, isWithShift(nativeEvent))
                  }
                />
              )}
              <StatusBadge status={run.status} blockReason={run.block_reason} />
            </td>
          );
        }
        if (name === "agent") {
          return (
            <td key={name} className={classes.agent}>
              <RowLink
                to="/runs/$id"
                id={run_id}
                className={classes.link}
                tabIndex={tabIndex}
                title={title.filter((line) => line !== null).join("\n")}
              >
                <span className={classes.name}>{agent_name}</span>{" "}
                <span className={classes.id}>{shortId(run_id)}</span>
              </RowLink>
            </td>
          );
        }
        const Cell = RUN_CELLS[name];
        return (
          <td key={name} className={classes[name]}>
            <Cell run={run} prices={prices} tabIndex={tabIndex} />
          </td>
        );
      })}
    </tr>
  );
});

/** A browser reports the change of a checkbox with the click that caused it, also for the space key. */
function isWithShift(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey;
}
