import { useLocalStorage } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useLiveEvents } from "../live/live-provider.tsx";

const KEY = "tenterhook-notify-questions";

/** Whether this browser notifies the user of new questions: off until the user asks for it. */
export function useQuestionNotifications() {
  const [isWanted, setWanted] = useLocalStorage({ key: KEY, defaultValue: false });
  const isPossible = "Notification" in window;
  const isOn = isWanted && isPossible && Notification.permission === "granted";
  return {
    isOn,
    isPossible,
    /** Resolves to false when the browser does not permit it. */
    async turn(on: boolean): Promise<boolean> {
      const isPermitted = !on || (isPossible && (await Notification.requestPermission()) === "granted");
      setWanted(on && isPermitted);
      return isPermitted;
    },
  };
}

/** Shows a notification for each new question while the user looks elsewhere. */
export function useNotifyOfQuestions(): void {
  const { isOn } = useQuestionNotifications();
  const navigate = useNavigate();
  useLiveEvents((events) => {
    if (!isOn || document.visibilityState === "visible") return;
    for (const { event_type, approval_id, reason, run_id } of events) {
      if (event_type !== "approval_requested") continue;
      const shown = new Notification("Approval required", {
        body: typeof reason === "string" ? reason : "",
        tag: String(approval_id),
      });
      shown.onclick = () => {
        window.focus();
        void navigate({ to: "/approvals", search: { run: run_id ?? undefined } });
      };
    }
  });
}
