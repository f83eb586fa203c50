import { Badge, Button, Menu, Text, VisuallyHidden } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { useIdentity } from "../access/identity.ts";
import { useLogOut } from "../access/use-log-out.ts";

/** Who one is, what one may do, and the way out. */
export function AccountMenu() {
  const { name, scope } = useIdentity();
  const logOut = useLogOut();
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
        <Menu.Label role="presentation">{SCOPE_WORDS[scope]}</Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void logOut()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const SCOPE_WORDS = {
  admin: "May see and change everything",
  client: "May see everything, and start and stop runs",
  viewer: "May see everything, and change nothing",
  runner: "May carry out runs",
} as const;
