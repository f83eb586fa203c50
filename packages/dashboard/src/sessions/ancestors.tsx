import { Breadcrumbs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { SessionSummary } from "@tenterhook/protocol/runs";
import { queries } from "../api/queries.ts";
import { SessionLink, shortId } from "../components/links.tsx";
import { AnchorLink } from "../components/router-links.ts";

/** The path from the outermost session to this one. */
export function Ancestors({ session }: { readonly session: SessionSummary }) {
  const { data = [] } = useQuery(queries.ancestors(session.parent_session_id));
  return (
    <Breadcrumbs
      component="nav"
      aria-label="Breadcrumb"
      mb={4}
      separatorMargin={6}
      styles={{
        root: { flexWrap: "wrap" },
        breadcrumb: { whiteSpace: "normal", overflowWrap: "anywhere", minWidth: 0 },
      }}
    >
      <AnchorLink to="/sessions" size="sm" activeOptions={{ exact: true }}>
        Sessions
      </AnchorLink>
      {data.map(({ session_id, agent_name }) => (
        <SessionLink key={session_id} id={session_id} ff="inherit">
          {agent_name}{" "}
          <Text span ff="monospace" inherit>
            {shortId(session_id)}
          </Text>
        </SessionLink>
      ))}
      <Text size="sm" c="dimmed" aria-current="page">
        {session.agent_name}
      </Text>
    </Breadcrumbs>
  );
}
