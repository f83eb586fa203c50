import { Button, Code, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { PAGE_SCOPES } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { SCOPE_LABELS } from "../access/scope-labels.ts";
import { call } from "../api/call.ts";
import { useWrite } from "../api/use-write.ts";
import { CommandLine } from "../components/command-line.tsx";
import { clockText } from "../components/exact-time.ts";
import { ProblemState } from "../components/problem-state.tsx";

/** Makes a sign-in link for a new person. */
export function InviteButton() {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
        Invite a person
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        // The second click of a double click on the button that opened it must not close it.
        closeOnClickOutside={false}
        title="Invite a person"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <InviteForm onClose={close} />
      </Modal>
    </>
  );
}

type PageScope = (typeof PAGE_SCOPES)[number];

const SCOPES = PAGE_SCOPES.map((scope) => ({ value: scope, label: `${scope}: ${SCOPE_LABELS[scope]}` }));

function InviteForm({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<PageScope>("viewer");
  const { mutate, data, isPending, error } = useWrite({
    mutationFn: () => call("POST /login-links", { body: { name: name.trim(), scope } }),
  });
  if (data !== undefined) {
    return (
      <Stack>
        <Text size="sm">
          Give this link to <bdi>{name.trim()}</bdi>. It works once, until{" "}
          {clockText(data.expires_at).slice(0, 5)}, and is not shown again.
        </Text>
        <CommandLine command={data.url} copyLabel="Copy the link" />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Shown with what the person decides, stops and edits."
          data-autofocus
          required
          withAsterisk={false}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Select
          label="Scope"
          data={SCOPES}
          value={scope}
          allowDeselect={false}
          onChange={(next) => setScope((before) => PAGE_SCOPES.find((each) => each === next) ?? before)}
        />
        <Text size="sm" c="dimmed">
          The access ends when you sign out, because it is made with your session. For access that lasts, use
          the command: <Code>tenterhook tokens link</Code>
        </Text>
        {error !== null && <ProblemState error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={name.trim() === ""}>
            Create link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
