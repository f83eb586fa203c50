import { type AnchorProps, Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";
import { useMay } from "../access/identity.ts";
import { AnchorLink } from "./router-links.ts";

interface Props extends AnchorProps {
  readonly children?: ReactNode;
}

/** A link to a run. Its text is the end of the id, because ids created at the same time differ only there. */
export function RunLink({ id, children, ...rest }: Props & { readonly id: string }) {
  return (
    <AnchorLink to="/runs/$id" params={{ id }} ff="monospace" size="sm" title={id} {...rest}>
      {children ?? shortId(id)}
    </AnchorLink>
  );
}

export function SessionLink({ id, children, ...rest }: Props & { readonly id: string }) {
  if (!useMay("read")) {
    return (
      <Unlinked title={id} ff="monospace">
        {children ?? shortId(id)}
      </Unlinked>
    );
  }
  return (
    <AnchorLink to="/sessions/$id" params={{ id }} ff="monospace" size="sm" title={id} {...rest}>
      {children ?? shortId(id)}
    </AnchorLink>
  );
}

export function AgentLink({ name, ...rest }: AnchorProps & { readonly name: string }) {
  if (!useMay("read")) return <Unlinked>{name}</Unlinked>;
  return (
    <AnchorLink to="/agents/$name" params={{ name }} size="sm" style={{ overflowWrap: "anywhere" }} {...rest}>
      {name}
    </AnchorLink>
  );
}

/** The text of a link to a page that the user may not read. */
function Unlinked({
  children,
  ...rest
}: TextProps & { readonly title?: string; readonly children: ReactNode }) {
  return (
    <Text span inherit style={{ overflowWrap: "anywhere" }} {...rest}>
      {children}
    </Text>
  );
}

/** `run_…s54xb` of `run_0mwhmq0l83t2ggrs54xb`; ids that users chose stay as they are. */
export function shortId(id: string): string {
  const [kind = "", rest = ""] = id.split("_");
  return /^[0-9a-z]{20,}$/.test(rest) ? `${kind}_…${rest.slice(-6)}` : id;
}
