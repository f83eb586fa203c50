import { type AnchorProps, Text } from "@mantine/core";
import { readHookKey } from "@tenterhook/protocol/runs";
import type { ReactNode } from "react";
import { useMay } from "../access/identity.ts";
import { hookLabel } from "./hook-label.ts";
import { AnchorLink } from "./router-links.ts";
import { visibleText } from "./visible-text.ts";

interface Props extends AnchorProps {
  /** The key of the hook, as `runner:no-force-push`. */
  readonly hook: string;
  /** Default: what people call the hook. */
  readonly children?: ReactNode;
}

/** A link to the page of a hook in use. A named hook has its page with its definition. */
export function HookLink({ hook, children, ...rest }: Props) {
  const used = readHookKey(hook);
  const text = children ?? visibleText(hookLabel(hook));
  const shared = { size: "sm", style: { overflowWrap: "anywhere" }, ...rest } as const;
  if (!useMay("read") || used === undefined)
    return (
      <Text span {...shared}>
        {text}
      </Text>
    );
  if (used.source === "named") {
    return (
      <AnchorLink to="/hooks/$name" params={{ name: used.name }} {...shared}>
        {text}
      </AnchorLink>
    );
  }
  return (
    <AnchorLink to="/hook" search={{ hook }} {...shared}>
      {text}
    </AnchorLink>
  );
}
