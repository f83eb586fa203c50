import type { DispatchOptions } from "@tenterhook/engine";
import type { CaseHost } from "./case.ts";

/** The expectations of a case's host about a dispatch. */
export function optionsFor(host: CaseHost = {}): DispatchOptions {
  const { approver, enforcesNotBy = false, invalid, forbidden, cancelled } = host;
  const mentions = (payload: unknown, text: string) => JSON.stringify(payload).includes(text);
  return {
    ...(cancelled && { signal: AbortSignal.abort(new Error("the run was cancelled")) }),
    ...(invalid && {
      validate: (payload) => (mentions(payload, invalid) ? `${invalid} is not a field` : undefined),
    }),
    ...(forbidden && { permit: (payload) => (mentions(payload, forbidden) ? "not permitted" : undefined) }),
    ...(approver && {
      approve: Object.assign(
        () => {
          if (approver === "throw") throw new Error("the approver failed");
          return typeof approver === "string"
            ? ({ type: approver } as const)
            : ({ type: "edit", value: approver.edit } as const);
        },
        { enforcesNotBy },
      ),
    }),
  };
}
