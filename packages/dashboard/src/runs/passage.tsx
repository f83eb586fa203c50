import type { FoundText } from "@tenterhook/protocol/runs";
import classes from "./run-row.module.css";

const FIELDS: Readonly<Record<FoundText["field"], string>> = {
  error: "error",
  block_reason: "block reason",
  stop_reason: "stop reason",
  parameters: "input",
  original_parameters: "original input",
  result_text: "result",
  result_data: "result",
};

/** What a search found in a run, with the matches marked. */
export function Passage({ found: { field, parts } }: { readonly found: FoundText }) {
  return (
    <>
      <span className={classes.field}>{FIELDS[field]}: </span>
      {parts.map(({ text, is_match }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
        is_match ? <mark key={index}>{text}</mark> : text,
      )}
    </>
  );
}
