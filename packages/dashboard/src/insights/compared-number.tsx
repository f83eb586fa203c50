import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { RunSearch } from "./chart-data.ts";
import classes from "./compared-number.module.css";
import { formatChange, formatCompact } from "./format-numbers.ts";
import { RunsLink } from "./runs-link.tsx";

interface Props {
  readonly label: string;
  /** Null: nothing was measured. */
  readonly value: number | null;
  readonly before: number | null;
  /** Default: with separators, large ones shortened. */
  readonly format?: (value: number) => string;
  /** The runs behind the number, and behind the one before. */
  readonly link?: RunSearch | undefined;
  readonly linkBefore?: RunSearch | undefined;
  /** Below, such as what the number leaves out. */
  readonly note?: ReactNode;
}

/** A number with that of the period before. Several are in a `NumberRow`. */
export function ComparedNumber(props: Props) {
  const { label, value, before, format = formatCompact, link, linkBefore, note } = props;
  const name = (text: string, when: string) => `${text} ${label.toLowerCase()}${when}`;
  return (
    <div className={classes.number}>
      <dt>{label}</dt>
      <dd>
        <span className={classes.value}>
          {value === null ? (
            "–"
          ) : (
            <Linked
              text={format(value)}
              search={value === 0 ? undefined : link}
              name={name(format(value), "")}
            />
          )}
        </span>
        <Text size="xs" c="dimmed" component="div">
          {before === null || before === 0 ? (
            "none before"
          ) : (
            <>
              before{" "}
              <Linked text={format(before)} search={linkBefore} name={name(format(before), " before")} />
              {value !== null && `, ${formatChange(value, before)}`}
            </>
          )}
        </Text>
        {note !== undefined && (
          <Text size="xs" c="dimmed" component="div">
            {note}
          </Text>
        )}
      </dd>
    </div>
  );
}

interface LinkedProps {
  readonly text: string;
  readonly search: RunSearch | undefined;
  readonly name: string;
}

function Linked({ text, search, name }: LinkedProps) {
  if (search === undefined) return text;
  return (
    <RunsLink search={search} name={name}>
      {text}
    </RunsLink>
  );
}
