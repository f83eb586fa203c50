import { Box, Button, Text } from "@mantine/core";
import { useState } from "react";
import { CopyIcon } from "../parts/json-view.tsx";
import classes from "./long-text.module.css";

/** Of a longer text only the beginning is shown until somebody wants the rest. */
const MOST_LETTERS = 2_000;
const MOST_LINES = 20;

interface Props {
  readonly text: string;
  readonly label: string;
  /** Written by a program, so that every letter is as wide. */
  readonly isCode?: boolean;
}

/** A text as it was written, which may be very long. */
export function LongText({ text, label, isCode = false }: Props) {
  const [isWhole, setWhole] = useState(false);
  const short = beginning(text);
  const isLong = short.length < text.length;
  return (
    <div>
      <Text size="xs" className={classes.label} mb={2}>
        {label}
      </Text>
      <Box className={classes.box}>
        <Text component="div" size="sm" className={classes.text} data-code={isCode || undefined}>
          {isWhole ? text : short}
          {isLong && !isWhole && "…"}
        </Text>
        <span className={classes.copy}>
          <CopyIcon text={text} label={`Copy: ${label}`} />
        </span>
        {isLong && (
          <Button
            size="compact-xs"
            variant="default"
            mt={6}
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? "Show less" : `Show all ${text.length.toLocaleString("en")} letters`}
          </Button>
        )}
      </Box>
    </div>
  );
}

function beginning(text: string): string {
  const lines = text.slice(0, MOST_LETTERS).split("\n");
  const isLong = text.length > MOST_LETTERS || lines.length > MOST_LINES;
  return isLong ? lines.slice(0, MOST_LINES).join("\n") : text;
}
