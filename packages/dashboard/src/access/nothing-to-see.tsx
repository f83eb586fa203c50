import { Button, Center, Code, Stack } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import { EmptyState } from "../parts/empty-state.tsx";
import type { useIdentity } from "./identity.ts";
import { useLogOut } from "./use-log-out.ts";

/** For whoever is in, and may not look: a runner's token. */
export function NothingToSee({ identity }: { readonly identity: ReturnType<typeof useIdentity> }) {
  const logOut = useLogOut();
  return (
    <Center mih="100vh" p="md" component="main">
      <EmptyState icon={IconEyeOff} title="This token cannot look">
        <Stack align="center">
          <span>
            A token with the scope <Code>{identity.scope}</Code> carries out runs and sees nothing else. Log
            in with one that has the scope viewer, client or admin.
          </span>
          <Button variant="default" onClick={() => void logOut()}>
            Use another token
          </Button>
        </Stack>
      </EmptyState>
    </Center>
  );
}
