import { Code } from "@mantine/core";
import type { HookRecord } from "@tenterhook/protocol/runs";
import { AgentLink } from "../../parts/links.tsx";
import { AnchorLink } from "../../parts/router-links.ts";

/** Which hook: its type, the name of its definition when it has one, and who carries it out. */
export function HookName({ hook }: { readonly hook: HookRecord }) {
  return (
    <>
      <Code>{hook.hook_type}</Code> by <HookTarget hook={hook} />
    </>
  );
}

/** Who carries a hook out. */
export function HookTarget({ hook: { name, target_type, target_name } }: { readonly hook: HookRecord }) {
  return (
    <>
      {target_type === "agent" ? (
        <>
          the agent <AgentLink name={target_name} underline="always" />
        </>
      ) : (
        <>HTTP to {target_name}</>
      )}
      {name !== null && (
        <>
          {", as "}
          <AnchorLink to="/hooks/$name" params={{ name }} size="sm" underline="always">
            {name}
          </AnchorLink>{" "}
          says
        </>
      )}
    </>
  );
}
