import { Box, Button, Text } from "@mantine/core";
import { useState } from "react";
import { countText } from "../components/count-text.ts";
import { CopyIcon } from "../components/json-view.tsx";
import { visibleText } from "../components/visible-text.ts";
import classes from "./long-text.module.css";

/** Of a longer text only the beginning is shown at first. */
const MAX_CHARACTERS = 2_000;
const MAX_LINES = 20;

interface Props {
  readonly text: string;
  readonly label: string;
  /** Shown in a monospaced font. */
  readonly isCode?: boolean;
  /** A text in lower case. If it is in the part that is not shown, all is shown. */
  readonly sought?: string;
}

/** A text with its line breaks, shortened if it is long. */
export function LongText({ text, label, isCode = false, sought = "" }: Props) {
  const [isUnfolded, setUnfolded] = useState(false);
  const short = beginning(text);
  const isLong = short.length < text.length;
  const isFound = isLong && sought !== "" && !contains(short, sought) && contains(text, sought);
  const isWhole = isUnfolded || isFound;
  return (
    <div>
      <Text size="xs" className={classes.label} mb={2}>
        {label}
      </Text>
      <Box className={classes.box}>
        <Text component="div" size="sm" className={classes.text} data-code={isCode || undefined}>
          {visibleText(isWhole ? text : short)}
          {isLong && !isWhole && "…"}
        </Text>
        <span className={classes.copy}>
          <CopyIcon text={text} label={`Copy: ${label}`} />
        </span>
        {isLong && !isFound && (
          <Button
            size="compact-xs"
            variant="default"
            mt={6}
            aria-expanded={isWhole}
            onClick={() => setUnfolded(!isWhole)}
          >
            {isWhole ? "Show less" : `Show all ${countText(text.length, "character")}`}
          </Button>
        )}
      </Box>
    </div>
  );
}

function beginning(text: string): string {
  const lines = text.slice(0, MAX_CHARACTERS).split("\n");
  const isLong = text.length > MAX_CHARACTERS || lines.length > MAX_LINES;
  return isLong ? lines.slice(0, MAX_LINES).join("\n") : text;
}

const contains = (text: string, sought: string) => text.toLowerCase().includes(sought);
