import { Collapse, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import classes from "./fold.module.css";

interface Props {
  readonly label: ReactNode;
  readonly children: ReactNode;
  readonly isOpenAtFirst?: boolean;
}

/** What not everybody wants to see, behind a line that says what it is. Made only when it is opened. */
export function Fold({ label, children, isOpenAtFirst = false }: Props) {
  const [isOpen, { toggle }] = useDisclosure(isOpenAtFirst);
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.button}
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
      >
        <IconChevronRight size={16} aria-hidden className={classes.chevron} />
        {label}
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <div className={classes.content}>{children}</div>}
      </Collapse>
    </div>
  );
}
