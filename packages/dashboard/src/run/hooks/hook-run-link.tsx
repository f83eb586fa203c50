import type { HookRecord } from "@tenterhook/protocol/runs";
import { RunLink } from "../../components/links.tsx";

/** A link to the run that executes a hook, at the end of a line about the hook; nothing for a hook without a run. */
export function HookRunLink({ hook }: { readonly hook: HookRecord }) {
  if (hook.child_run_id === null) return null;
  return (
    <>
      {" · "}
      <RunLink id={hook.child_run_id} ff="inherit" underline="always">
        View the hook's run
      </RunLink>
    </>
  );
}
