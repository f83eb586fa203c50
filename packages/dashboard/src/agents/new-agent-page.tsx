import { IconLock } from "@tabler/icons-react";
import { useMay } from "../access/identity.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
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
        <EmptyState icon={IconLock} title="You cannot create agents">
          A blueprint names a program that runners start, so creating one requires the scope admin.
        </EmptyState>
      )}
    </>
  );
}
