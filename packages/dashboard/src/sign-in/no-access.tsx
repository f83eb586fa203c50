import { Button, Center, Code, Stack } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import type { useIdentity } from "../access/identity.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { useSignOut } from "./use-sign-out.ts";

/** Shown to a user without the permission to read: a runner's token. */
export function NoAccess({ identity }: { readonly identity: ReturnType<typeof useIdentity> }) {
  const signOut = useSignOut();
  return (
    <Center mih="100vh" p="md" component="main">
      <EmptyState icon={IconEyeOff} title="This token cannot read the dashboard">
        <Stack align="center">
          <span>
            A token with the scope <Code>{identity.scope}</Code> can only execute runs. Sign in with a token
            that has the scope viewer, client, reviewer or admin.
          </span>
          <Button variant="default" onClick={() => void signOut()}>
            Use another token
          </Button>
        </Stack>
      </EmptyState>
    </Center>
  );
}
