import { costText } from "@tenterhook/protocol/runs";
import { bold, dim } from "../terminal.ts";
import { formatCount, formatEstimate } from "./format-number.ts";
import { numberTable } from "./number-table.ts";
import type { FleetReport } from "./read-coordinator.ts";

const MAX_MODELS = 10;

/** What only a coordinator knows: runs, and the use of models. */
export function formatFleet(report: FleetReport, width: number): readonly string[] {
  return [runsLines(report), modelsTable(report, width)].filter((text) => text !== "");
}

function runsLines({ current, previous, behind_seconds }: FleetReport): string {
  const { created, completed, failed, stopped } = current.runs;
  const before = ` ${dim(`(${formatCount(previous.runs.created)} in the period before)`)}`;
  const lines = [
    `${bold(formatCount(created))} ${created === 1 ? "run" : "runs"}${before}: ${formatCount(completed)} completed, ${formatCount(failed)} failed, ${formatCount(stopped)} stopped`,
  ];
  const { time_to_start: wait, duration: took } = current;
  if (took.p50_ms !== null && took.p95_ms !== null) {
    const started = wait.p50_ms === null ? "" : `started after ~${formatEstimate(wait.p50_ms)}, `;
    lines.push(`${started}took ~${formatEstimate(took.p50_ms)} (p50), ~${formatEstimate(took.p95_ms)} (p95)`);
  }
  if (behind_seconds > 60)
    lines.push(
      dim(
        `The newest events are not counted yet: they are ${formatEstimate(behind_seconds * 1_000)} behind.`,
      ),
    );
  return lines.join("\n");
}

function modelsTable({ models, currency }: FleetReport, width: number): string {
  if (models.length === 0) return "";
  const isPriced = models.some(({ cost }) => cost > 0);
  type Row = FleetReport["models"][number];
  return numberTable<Row>(
    [
      { title: "model", isName: true, text: ({ model }) => model || "(unknown)" },
      { title: "agent", isName: true, isOptional: true, text: ({ agent }) => agent },
      { title: "calls", text: ({ calls }) => formatCount(calls) },
      { title: "tokens in", text: ({ input_tokens }) => formatCount(input_tokens) },
      { title: "out", text: ({ output_tokens }) => formatCount(output_tokens) },
      ...(isPriced
        ? [
            {
              title: "cost",
              text: ({ cost, unpriced_calls }: Row) =>
                unpriced_calls > 0 && cost === 0 ? "-" : costText(cost, currency),
            },
          ]
        : []),
    ],
    models.slice(0, MAX_MODELS),
    width,
  );
}
