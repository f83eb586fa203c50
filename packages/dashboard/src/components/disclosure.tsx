import { Collapse, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import classes from "./disclosure.module.css";

interface Props {
  readonly label: ReactNode;
  readonly children: ReactNode;
  readonly isInitiallyOpen?: boolean;
}

/** Content behind a button. It is rendered only while it is open. */
export function Disclosure({ label, children, isInitiallyOpen = false }: Props) {
  const [isOpen, { toggle }] = useDisclosure(isInitiallyOpen);
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
