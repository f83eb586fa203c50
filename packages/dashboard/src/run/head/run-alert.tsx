import { Group, Paper, Text } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";
import classes from "./run-alert.module.css";

interface Props {
  readonly tone: "refused" | "failed" | "stopped" | "question" | "waiting";
  readonly icon: ComponentType<{ readonly "aria-hidden"?: boolean; readonly size?: number }>;
  readonly title: string;
  /** A reason or an error, shown with its line breaks. */
  readonly message: string;
  readonly children?: ReactNode;
}

/** A notice at the top of the page. */
export function RunAlert({ tone, icon: Icon, title, message, children }: Props) {
  return (
    <Paper component="section" withBorder className={classes.alert} data-tone={tone} aria-label={title}>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <span className={classes.icon}>
          <Icon aria-hidden size={22} />
        </span>
        <div className={classes.body}>
          <Text component="h2" fw={650} size="sm" className={classes.title}>
            {title}
          </Text>
          <Text size="md" className={classes.message} data-lines={message.includes("\n") || undefined}>
            {message}
          </Text>
          {children}
        </div>
      </Group>
    </Paper>
  );
}
