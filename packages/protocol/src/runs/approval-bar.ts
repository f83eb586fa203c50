import { z } from "zod";

/**
 * Why `not_by: requester` bars a token: it requested the run, another session of it did, it made the token that did, it was made
 * with that token, or the requester is not known.
 */
export const approvalBar = z.enum(["requester", "session", "maker", "made", "unknown"]);
export type ApprovalBar = z.infer<typeof approvalBar>;

const DETAILS: Readonly<Record<ApprovalBar, string>> = {
  requester: "you started this run; another person must decide",
  session: "another session of your token started this run; another person must decide",
  maker: "your token made the token that started this run; another person must decide",
  made: "your token was made with the token that started this run; another person must decide",
  unknown: "it is not known who started this run, and its requester must not decide",
};

const WHO_MAY =
  "Deciding requires the scope reviewer or admin, and a token that neither made the requester's token nor was made with it.";

/** Why a token may not decide, and what to do. */
export function describeBar(bar: ApprovalBar): { readonly detail: string; readonly hint: string } {
  const hint =
    bar === "unknown" ? "Stop the run and start it again, or retry it once it has ended." : WHO_MAY;
  return { detail: DETAILS[bar], hint };
}
