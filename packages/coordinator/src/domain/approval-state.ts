import { approvalState } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { StateTable } from "./state-table.ts";

export type ApprovalState = z.output<typeof approvalState>;

/** The states of an approval: it is settled once, by a person, by its time or by the end of its run. */
export const APPROVAL_STATES = new StateTable<ApprovalState>(approvalState.options, ["pending"], {
  pending: ["approved", "rejected", "expired", "cancelled"],
  approved: [],
  rejected: [],
  expired: [],
  cancelled: [],
});
