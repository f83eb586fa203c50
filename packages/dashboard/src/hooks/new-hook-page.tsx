import { IconLock } from "@tabler/icons-react";
import { useMay } from "../access/identity.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useEditedHook } from "./edited-hook.ts";
import { HookEditor } from "./hook-editor.tsx";

export function NewHookPage() {
  const mayChange = useMay("define");
  const edited = useEditedHook(undefined);
  return (
    <>
      <PageHeader title="New hook" />
      {mayChange ? (
        <HookEditor edited={edited} mayChange />
      ) : (
        <EmptyState icon={IconLock} title="You cannot create hooks">
          A hook decides about runs, so creating one requires the scope admin.
        </EmptyState>
      )}
    </>
  );
}
