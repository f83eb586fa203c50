/**
 * How statements are to be planned, on both databases. Ours walk an index in its order and stop early; the planner, which sees
 * that few rows match, would rather read all matches and sort them. That visits every run that ever waited since the last
 * vacuum, and never clears a dead entry out of the index as a walk does: claims became slower with every claim.
 */
export const PLANNING: Readonly<Record<string, string>> = {
  enable_bitmapscan: "off",
  // Still used where there is no index.
  enable_seqscan: "off",
  // A few rows are looked up one by one, however small the table was when the statement was planned.
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  // Before PostgreSQL 18 the estimated cost of such a scan is so high that it would be compiled first.
  jit: "off",
};
