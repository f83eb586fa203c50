import { Fragment } from "react";
import { AgentLink } from "../components/links.tsx";
import { AnchorLink } from "../components/router-links.ts";

interface Users {
  readonly agents: readonly string[];
  readonly hooks?: readonly string[];
}

/** Links to the agents and the named hooks that use something. */
export function UsedBy({ agents, hooks = [] }: Users) {
  const links = [
    ...agents.map((name) => <AgentLink key={name} name={name} inherit underline="always" />),
    ...hooks.map((name) => (
      <Fragment key={`hook ${name}`}>
        the hook{" "}
        <AnchorLink
          to="/hooks/$name"
          params={{ name }}
          inherit
          underline="always"
          style={{ overflowWrap: "anywhere" }}
        >
          {name}
        </AnchorLink>
      </Fragment>
    )),
  ];
  return links.map((link, index) => (
    <span key={link.key}>
      {index > 0 && ", "}
      {link}
    </span>
  ));
}
