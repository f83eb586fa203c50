import { IconLock } from "@tabler/icons-react";
import { useMay } from "../access/identity.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { AgentEditor } from "./editor/agent-editor.tsx";
import { useEditedAgent } from "./editor/edited-agent.ts";

export function NewAgentPage() {
  const mayChange = useMay("define");
  const edited = useEditedAgent(undefined);
  return (
    <>
      <PageHeader title="New agent" />
      {mayChange ? (
        <AgentEditor edited={edited} mayChange />
      ) : (
        <EmptyState icon={IconLock} title="You may not make agents">
          A blueprint names a program that runners start, so that it takes the scope admin.
        </EmptyState>
      )}
    </>
  );
}
