import { Alert, Button, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { Ago } from "../components/times.tsx";

interface Props {
  /** When the user typed what was restored; `undefined` when nothing was. */
  readonly keptAt: string | undefined;
  readonly onDiscard: () => void;
  readonly onClose: () => void;
}

/** Tells the user that the form shows what they had typed before the session ended or the page was loaded again. */
export function RestoredNotice({ keptAt, onDiscard, onClose }: Props) {
  if (keptAt === undefined) return null;
  return (
    <Alert
      color="blue"
      variant="outline"
      mb="md"
      icon={<IconHistory aria-hidden />}
      title="Your unsaved changes were restored"
      role="status"
      withCloseButton
      closeButtonLabel="Close this notice"
      onClose={onClose}
    >
      <Text size="sm" mb="xs" component="div">
        You typed them <Ago time={keptAt} />, and they are not saved yet.
      </Text>
      <Button size="xs" variant="default" onClick={onDiscard}>
        Discard restored changes
      </Button>
    </Alert>
  );
}
