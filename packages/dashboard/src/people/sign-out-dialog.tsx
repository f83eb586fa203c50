import { Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { QueryClient } from "@tanstack/react-query";
import type { TokenRecord } from "@tenterhook/protocol/runs";
import type { ReactElement } from "react";
import { queries } from "../api/queries.ts";
import { errorMessage } from "../components/error-message.ts";
import { accessRows } from "./access-rows.ts";
import { EndingAccess } from "./ending-access.tsx";

interface Administrator {
  readonly client: QueryClient;
  /** The id of the administrator's session. */
  readonly session: string;
  readonly signOut: () => Promise<void>;
  /** Shows a dialog, or none. */
  readonly show: (dialog: ReactElement | undefined) => void;
}

/** Signs an administrator out. One who has given access to others is asked first, because theirs ends too. Never rejects. */
export async function signOutAdministrator({ client, session, signOut, show }: Administrator): Promise<void> {
  const end = () =>
    signOut().catch((error: unknown) =>
      notifications.show({ color: "red", title: "You are still signed in", message: errorMessage(error) }),
    );
  const tokens = await client.fetchQuery({ ...queries.tokens(), staleTime: 0 }).catch(() => []);
  const below = accessRows(tokens, session).find(({ isYou }) => isYou)?.below ?? [];
  if (below.length === 0) await end();
  else show(<SignOutDialog below={below} onConfirm={() => void end()} onClose={() => show(undefined)} />);
}

interface Props {
  /** What was made with the user's session, and ends with it. */
  readonly below: readonly TokenRecord[];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function SignOutDialog({ below, onConfirm, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title="Sign out?" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">
          Your session ends. <EndingAccess below={below} />
        </Text>
        <Text size="sm">
          Close the tab instead to keep them. For access that lasts, use the command:{" "}
          <Code>tenterhook tokens link</Code>
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" onClick={onConfirm}>
            Sign out
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
