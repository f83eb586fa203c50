import { IconLock } from "@tabler/icons-react";
import { useMay } from "../access/identity.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
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
        <EmptyState icon={IconLock} title="You may not make hooks">
          A hook decides about runs, so that it takes the scope admin.
        </EmptyState>
      )}
    </>
  );
}
