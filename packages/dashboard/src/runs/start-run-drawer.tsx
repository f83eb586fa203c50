import { Drawer } from "@mantine/core";
import { storedDrafts } from "../editing/stored-drafts.ts";
import classes from "./start-run-drawer.module.css";
import { type Retried, StartRunForm } from "./start-run-form.tsx";
import { startFormAddress } from "./stored-start.ts";

interface Props {
  readonly isOpen: boolean;
  readonly agent: string | undefined;
  readonly onAgent?: (agent: string | undefined) => void;
  readonly onClose: () => void;
  readonly retryOf?: Retried;
}

const noChoice = () => {};

/** The form to start a run, beside the list of runs; or to retry one, beside that run. */
export function StartRunDrawer({ isOpen, agent, onAgent = noChoice, onClose, retryOf }: Props) {
  const close = () => {
    storedDrafts.forget(startFormAddress(retryOf));
    onClose();
  };
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      position="right"
      size="lg"
      title={retryOf === undefined ? "Start a run" : `Retry a run of ${agent}`}
      classNames={classes}
      // The header of a dialog is not the header of the page.
      attributes={{ header: { role: "none" } }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <StartRunForm agent={agent} onAgent={onAgent} onCancel={close} retryOf={retryOf} />
    </Drawer>
  );
}
