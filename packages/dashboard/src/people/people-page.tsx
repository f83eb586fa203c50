import { Skeleton, Stack, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useIdentity, useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { AccessList } from "./access-list.tsx";
import { accessRows } from "./access-rows.ts";
import { InviteButton } from "./invite-button.tsx";

// Loaded with this page: a file of its own would make what loads before the first paint larger.
export { signOutAdministrator } from "./sign-out-dialog.tsx";

/** Who has access, to what, since when and by whom; and links for new people. */
export function PeoplePage() {
  const mayAdminister = useMay("administer");
  return (
    <>
      <PageHeader title="People and tokens">{mayAdminister && <InviteButton />}</PageHeader>
      {mayAdminister ? (
        <Access />
      ) : (
        <EmptyState icon={IconLock} title="For administrators">
          The list of people and tokens needs the scope "admin".
        </EmptyState>
      )}
    </>
  );
}

function Access() {
  const { token_id } = useIdentity();
  const { data, error, refetch } = useQuery(queries.tokens());
  if (data === undefined && error !== null) {
    return <ProblemState error={error} retry={() => void refetch()} />;
  }
  if (data === undefined) {
    return (
      <Stack gap={6} role="status" aria-label="Loading">
        <Skeleton h={40} />
        <Skeleton h={40} />
        <Skeleton h={40} />
      </Stack>
    );
  }
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        People are signed in to this page; tokens are for programs. Revoking one also revokes all that was
        made with it. Last use is exact to a minute.
      </Text>
      <AccessList rows={accessRows(data, token_id)} />
    </>
  );
}
