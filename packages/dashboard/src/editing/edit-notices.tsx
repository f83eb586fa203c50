import { ConflictNotice } from "./conflict-notice.tsx";
import type { EditTarget } from "./edit-target.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { RestoredNotice } from "./restored-notice.tsx";
import type { Editing } from "./use-editing.ts";

interface Props {
  readonly editing: Editing;
  readonly edited: EditTarget;
  readonly mayChange: boolean;
}

/** The notices above an editor, and the question before a user leaves it with unsaved changes. */
export function EditNotices({ editing, edited, mayChange }: Props) {
  return (
    <>
      <LeaveGuard
        isEdited={editing.isEdited && mayChange}
        isSavedNow={editing.isSavedNow}
        onDiscard={editing.forget}
      />
      <RestoredNotice
        keptAt={editing.restoredAt}
        onDiscard={editing.discard}
        onClose={editing.closeRestored}
      />
      <ConflictNotice editing={editing} normal={edited.normal} mayChange={mayChange} />
    </>
  );
}
