import { Drawer } from "@mantine/core";
import classes from "./start-run-drawer.module.css";
import { StartRunForm } from "./start-run-form.tsx";

interface Props {
  readonly isOpen: boolean;
  readonly agent: string | undefined;
  readonly onAgent: (agent: string | undefined) => void;
  readonly onClose: () => void;
}

/** Beside the list, so that it can be seen what goes on already. */
export function StartRunDrawer({ isOpen, agent, onAgent, onClose }: Props) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title="Start a run"
      classNames={classes}
      // Inside of a dialog it is no head of the page.
      attributes={{ header: { role: "none" } }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <StartRunForm agent={agent} onAgent={onAgent} onCancel={onClose} />
    </Drawer>
  );
}
