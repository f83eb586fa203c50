import { isOtherSchema } from "./database/sql-error.ts";

type Report = (error: unknown, errorId?: string) => void;

/** Reports once that the tables are not those of this version: every round of every loop fails with it. */
export function reportSchemaOnce(report: Report): Report {
  let last: string | undefined;
  return (error, errorId) => {
    if (isOtherSchema(error)) {
      if (error.message === last) return;
      last = error.message;
    }
    report(error, errorId);
  };
}
