import { Drawer } from "@mantine/core";
import classes from "./start-run-drawer.module.css";
import { StartRunForm } from "./start-run-form.tsx";

interface Props {
  readonly isOpen: boolean;
  readonly agent: string | undefined;
  readonly onAgent: (agent: string | undefined) => void;
  readonly onClose: () => void;
}

/** The form to start a run, beside the list of runs. */
export function StartRunDrawer({ isOpen, agent, onAgent, onClose }: Props) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title="Start a run"
      classNames={classes}
      // The header of a dialog is not the header of the page.
      attributes={{ header: { role: "none" } }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <StartRunForm agent={agent} onAgent={onAgent} onCancel={onClose} />
    </Drawer>
  );
}
