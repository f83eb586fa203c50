import { Alert, Button, Group, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useState } from "react";
import { useIdentity, useMay } from "../access/identity.ts";
import { ButtonLink } from "../components/router-links.ts";
import { Ago } from "../components/times.tsx";
import { storedDrafts } from "./stored-drafts.ts";

interface Props {
  readonly kind: "agent" | "hook";
  /** The names that exist. */
  readonly names: readonly string[];
}

/** Offers the user's drafts of agents or hooks that were deleted meanwhile: the list has no row for them. */
export function DeletedDrafts({ kind, names }: Props) {
  const user = useIdentity().name;
  const [drafts, setDrafts] = useState(() => storedDrafts.all(user));
  const prefix = `/${kind}s/`;
  // A user whose new token has fewer permissions could not save them.
  const deleted = (useMay("define") ? drafts : [])
    .filter(({ address }) => address.startsWith(prefix))
    .map(({ address, keptAt }) => ({ address, keptAt, name: address.slice(prefix.length) }))
    .filter(({ name }) => !names.includes(name));
  const discard = (address: string) => {
    storedDrafts.forget(address);
    setDrafts(storedDrafts.all(user));
  };
  return deleted.map(({ address, keptAt, name }) => (
    <Alert
      key={address}
      color="blue"
      variant="outline"
      mb="md"
      icon={<IconHistory aria-hidden />}
      title={`Unsaved changes of the deleted ${kind} ${name}`}
      role="status"
    >
      <Text size="sm" mb="xs" component="div">
        You typed them <Ago time={keptAt} />. The {kind} was deleted since; you can create it again with them.
      </Text>
      <Group gap="xs">
        <ButtonLink to={`/${kind}s/$name`} params={{ name }} size="xs">
          Review changes
        </ButtonLink>
        <Button size="xs" variant="default" onClick={() => discard(address)}>
          Discard
        </Button>
      </Group>
    </Alert>
  ));
}
