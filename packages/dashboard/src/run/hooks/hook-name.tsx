import { Code } from "@mantine/core";
import type { HookRecord } from "@tenterhook/protocol/runs";
import { AgentLink } from "../../components/links.tsx";
import { AnchorLink } from "../../components/router-links.ts";

/** The type and the target of a hook. */
export function HookName({ hook }: { readonly hook: HookRecord }) {
  return (
    <>
      <Code>{hook.hook_type}</Code> by <HookTarget hook={hook} />
    </>
  );
}

/** The target of a hook, and the named hook that defines it. */
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
          {", named hook "}
          <AnchorLink to="/hooks/$name" params={{ name }} size="sm" underline="always">
            {name}
          </AnchorLink>
        </>
      )}
    </>
  );
}
