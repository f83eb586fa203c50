import { Code } from "@mantine/core";
import type { HookRecord } from "@tenterhook/protocol/runs";
import { AgentLink } from "../../parts/links.tsx";
import { AnchorLink } from "../../parts/router-links.ts";

/** Which hook: its type, the name of its definition when it has one, and who carries it out. */
export function HookName({ hook }: { readonly hook: HookRecord }) {
  const { hook_type, name, target_type, target_name } = hook;
  return (
    <>
      <Code>{hook_type}</Code>{" "}
      {name !== null && (
        <>
          <AnchorLink to="/hooks/$name" params={{ name }} size="sm">
            {name}
          </AnchorLink>
          {", "}
        </>
      )}
      {target_type === "agent" ? (
        <>
          by the agent <AgentLink name={target_name} />
        </>
      ) : (
        <>by HTTP to {target_name}</>
      )}
    </>
  );
}
