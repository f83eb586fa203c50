import { Text } from "@mantine/core";
import { useIdentity } from "../access/identity.ts";

/** Why a user sees questions without buttons. */
export function CannotDecide() {
  const { scope } = useIdentity();
  return (
    <Text size="sm">
      Your token has the scope "{scope}", which cannot decide approvals. Deciding requires the scope
      "reviewer" or "admin".
    </Text>
  );
}
