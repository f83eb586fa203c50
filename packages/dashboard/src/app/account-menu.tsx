import { Badge, Button, Menu, Text, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconBell, IconBellRinging, IconLogout, IconUser } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useIdentity, useMay } from "../access/identity.ts";
import { SCOPE_LABELS } from "../access/scope-labels.ts";
import { useSignOut } from "../sign-in/use-sign-out.ts";
import { useQuestionNotifications } from "./question-notifications.ts";

/** The user's name and scope, and the button to sign out. */
export function AccountMenu() {
  const { name, scope, token_id: session } = useIdentity();
  const client = useQueryClient();
  const mayInvite = useMay("administer");
  const signOut = useSignOut();
  const [dialog, show] = useState<ReactElement>();
  const leave = async () => {
    if (!mayInvite) return signOut();
    const { signOutAdministrator } = await import("../people/people-page.tsx");
    await signOutAdministrator({ client, session, signOut, show });
  };
  const { isOn, isPossible, turn } = useQuestionNotifications();
  const toggle = async () => {
    if (await turn(!isOn)) return;
    notifications.show({
      color: "gray",
      title: "Notifications are not permitted",
      message: "Permit them for this address in the settings of the browser.",
    });
  };
  return (
    <>
      {dialog}
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={
              <>
                <IconUser size={16} aria-hidden />
                <VisuallyHidden>Account:</VisuallyHidden>
              </>
            }
            rightSection={
              <Badge
                size="xs"
                variant="light"
                color={scope === "admin" ? "cyan" : "gray"}
                tt="none"
                visibleFrom="xs"
              >
                {scope}
              </Badge>
            }
          >
            <Text size="sm" truncate maw={140} visibleFrom="xs">
              <bdi>{name}</bdi>
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label role="presentation" maw={260}>
            Signed in as{" "}
            <Text span inherit fw={700} style={{ overflowWrap: "anywhere" }}>
              <bdi>{name}</bdi>
            </Text>
            <br />
            {SCOPE_LABELS[scope]}
          </Menu.Label>
          {isPossible && (
            <Menu.Item
              closeMenuOnClick={false}
              leftSection={
                isOn ? <IconBellRinging size={16} aria-hidden /> : <IconBell size={16} aria-hidden />
              }
              onClick={() => void toggle()}
            >
              {isOn ? "Stop notifying me of questions" : "Notify me of questions"}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
