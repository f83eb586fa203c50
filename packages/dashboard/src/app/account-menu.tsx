import { Badge, Button, Menu, Text, VisuallyHidden } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { useIdentity } from "../access/identity.ts";
import { useSignOut } from "../access/use-log-out.ts";

/** The user's name and scope, and the button to sign out. */
export function AccountMenu() {
  const { name, scope } = useIdentity();
  const signOut = useSignOut();
  return (
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
            <Badge size="xs" variant="light" color={scope === "admin" ? "cyan" : "gray"} tt="none">
              {scope}
            </Badge>
          }
        >
          <Text size="sm" truncate maw={140} visibleFrom="xs">
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label role="presentation">{SCOPE_LABELS[scope]}</Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const SCOPE_LABELS = {
  admin: "Can read and change everything",
  client: "Can read everything, and start and stop runs",
  viewer: "Can read everything",
  runner: "Can execute runs",
} as const;
