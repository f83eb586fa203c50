import { Text } from "@mantine/core";
import { memo } from "react";
import { clockText } from "../../components/exact-time.ts";
import { visibleText } from "../../components/visible-text.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { LongText } from "../long-text.tsx";
import { CommandView, OutputView } from "./command-view.tsx";
import { readCommand, readOutput } from "./read-command.ts";
import classes from "./transcript.module.css";
import type { TextEntry, ToolEntry, TranscriptEntry } from "./transcript-entry.ts";
import { ROLE_LABELS, toolTitle, valueText } from "./transcript-labels.ts";

interface Props {
  readonly entry: TranscriptEntry;
  /** What the user searches for, in lower case. */
  readonly sought: string;
  /** Whether this is the entry that the search shows. */
  readonly isCurrent: boolean;
}

/** An entry of a transcript. */
export const EntryView = memo(function EntryView({ entry, sought, isCurrent }: Props) {
  const isRefused = entry.role === "tool" && (entry.status === "blocked" || entry.status === "failed");
  return (
    <article
      className={classes.entry}
      data-role={isRefused ? "refusal" : entry.role}
      data-current={isCurrent || undefined}
    >
      {entry.role === "tool" ? <ToolBody entry={entry} sought={sought} /> : <TextBody entry={entry} />}
    </article>
  );
});

function TextBody({ entry }: { readonly entry: TextEntry }) {
  const { role, text, isData, isDiscarded } = entry;
  const isMarkdown = (role === "agent" || role === "reasoning") && !isData;
  return (
    <>
      <Head entry={entry} title={ROLE_LABELS[role]} note={isDiscarded ? "discarded" : undefined} />
      <div
        className={classes.text}
        data-plain={!isMarkdown || undefined}
        data-code={isData || undefined}
        data-discarded={isDiscarded || undefined}
      >
        {isMarkdown ? <Markdown text={text} /> : visibleText(text)}
      </div>
    </>
  );
}

function ToolBody({ entry, sought }: { readonly entry: ToolEntry; readonly sought: string }) {
  const { status, input, result, reason, acts } = entry;
  const command = readCommand(input);
  const output = readOutput(result);
  return (
    <>
      <Head entry={entry} title={toolTitle(entry)} note={status === "running" ? "in progress" : undefined} />
      {reason !== undefined && (
        <div className={classes.text} data-plain>
          {visibleText(reason)}
        </div>
      )}
      {acts.map((act) => (
        <Text key={act} size="sm" className={classes.act}>
          {visibleText(act)}
        </Text>
      ))}
      <div className={classes.data}>
        {command === undefined ? (
          <LongText label="Input" text={valueText(input)} isCode sought={sought} />
        ) : (
          <CommandView command={command} sought={sought} />
        )}
        {output !== undefined && <OutputView output={output} sought={sought} />}
        {output === undefined && result !== undefined && result !== null && (
          <LongText label="Result" text={valueText(result)} isCode sought={sought} />
        )}
      </div>
    </>
  );
}

interface HeadProps {
  readonly entry: TranscriptEntry;
  readonly title: string;
  readonly note?: string | undefined;
}

function Head({ entry: { subagent, step, timestamp }, title, note }: HeadProps) {
  return (
    <Text size="xs" component="h2" fw={500} className={classes.head}>
      <span className={classes.title}>{subagent === undefined ? title : `${title} · ${subagent}`}</span>
      {step !== undefined && <span>step {step}</span>}
      <span>{clockText(timestamp)}</span>
      {note !== undefined && <span>{note}</span>}
    </Text>
  );
}
