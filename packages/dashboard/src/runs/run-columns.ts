import { costOf, type Prices, type RunSummary } from "@tenterhook/protocol/runs";

export type ColumnName =
  | "status"
  | "agent"
  | "input"
  | "about"
  | "hooks"
  | "kind"
  | "session"
  | "by"
  | "tokens"
  | "cost"
  | "created"
  | "duration";

export interface RunColumn {
  readonly name: ColumnName;
  readonly label: string;
  /** A size of a CSS grid. All columns together shrink to the narrowest table, so that the page never scrolls sideways. */
  readonly width: string;
  /** Whether the column has something to say about a run. Without it, the column is always shown. */
  readonly isFilled?: (run: RunSummary, prices: Prices | undefined) => boolean;
}

const never = () => false;
const always = () => true;

/** The columns of the list of runs, in order. */
export const RUN_COLUMNS: readonly RunColumn[] = [
  { name: "status", label: "Status", width: "minmax(96px, 118px)" },
  { name: "agent", label: "Agent", width: "minmax(clamp(96px, 40% - 210px, 186px), 1fr)" },
  {
    name: "input",
    label: "Input",
    width: "minmax(clamp(36px, 20% - 120px, 90px), 1.3fr)",
    isFilled: ({ input_line }) => input_line !== null,
  },
  {
    name: "about",
    label: "Reason or result",
    width: "minmax(clamp(36px, 20% - 120px, 80px), 1.1fr)",
    isFilled: (run) => describeEnd(run) !== null,
  },
  {
    name: "hooks",
    label: "Hooks",
    width: "minmax(24px, 44px)",
    isFilled: ({ has_hooks, trial, waiting_for }) => has_hooks || trial || waiting_for !== null,
  },
  { name: "kind", label: "Kind", width: "minmax(32px, 64px)", isFilled: ({ kind }) => kind !== "client" },
  { name: "session", label: "Session", width: "minmax(44px, 104px)", isFilled: never },
  { name: "by", label: "Started by", width: "minmax(36px, 104px)", isFilled: never },
  { name: "tokens", label: "Tokens", width: "minmax(40px, 52px)", isFilled: ({ usage }) => usage !== null },
  {
    name: "cost",
    label: "Cost",
    width: "minmax(44px, 64px)",
    isFilled: (run, prices) => readCost(run, prices) !== undefined,
  },
  { name: "created", label: "Created", width: "minmax(56px, 84px)", isFilled: always },
  { name: "duration", label: "Duration", width: "minmax(48px, 68px)", isFilled: always },
];

/** The column of hooks when a run has more than an icon in it. */
const HOOKS_WITH_BADGES: RunColumn = { name: "hooks", label: "Hooks", width: "minmax(24px, 146px)" };

/** Columns that users have switched on or off. */
export type ColumnChoice = Readonly<Partial<Record<ColumnName, boolean>>>;

/** The columns to show: those that users chose, and by default those that are not empty. */
export function visibleColumns(
  rows: readonly RunSummary[],
  choice: ColumnChoice,
  prices: Prices | undefined,
  isSearch: boolean,
): readonly RunColumn[] {
  return RUN_COLUMNS.filter(({ name, isFilled }) => {
    if (isFilled === undefined) return true;
    // What was found is shown there.
    if (isSearch && name === "about") return true;
    return choice[name] ?? rows.some((run) => isFilled(run, prices));
  }).map((column) => (column.name === "hooks" && rows.some(hasBadge) ? HOOKS_WITH_BADGES : column));
}

function hasBadge({ trial, waiting_for }: RunSummary): boolean {
  return trial || waiting_for !== null;
}

/** Why a run ended as it did, or waits, or the first line of its result. */
export function describeEnd(run: RunSummary): string | null {
  return findReason(run)?.split("\n", 1)[0] ?? run.result_line;
}

export function findReason(run: RunSummary): string | null {
  const waiting = run.hook_waiting ? `A hook waits: ${run.hook_waiting}` : null;
  return run.block_reason ?? run.error ?? run.stop_reason ?? waiting;
}

/** What the model calls of a run cost. Undefined when a price is not known. */
export function readCost({ usage }: RunSummary, prices: Prices | undefined): number | undefined {
  if (usage === null || prices === undefined) return undefined;
  const calls = usage.map(({ model, ...tokens }) => ({ ...tokens, model: model ?? undefined }));
  return costOf(calls, prices);
}
