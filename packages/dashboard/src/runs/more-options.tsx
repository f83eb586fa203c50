import { Button, Collapse, Select, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { RunRequestBody } from "@tenterhook/protocol/runs";
import { useId } from "react";

export type StartOptions = Pick<RunRequestBody, "session_id" | "parent_session_id" | "execution_mode">;
type Mode = NonNullable<StartOptions["execution_mode"]>;

interface Props {
  readonly value: StartOptions;
  readonly onChange: (value: StartOptions) => void;
  /** The coordinator's error about a field. */
  readonly errorOf: (name: string) => string | undefined;
}

const MODES: readonly { readonly value: Mode; readonly label: string }[] = [
  { value: "async_poll", label: "async_poll: the client polls for the result" },
  { value: "async_callback", label: "async_callback: the result resumes the parent session" },
  { value: "sync", label: "sync: the client waits for the result" },
];

/** Options that are rarely needed. They are shown when one of them was refused, or has a value from the beginning. */
export function MoreOptions({ value, onChange, errorOf }: Props) {
  const [isOpen, { toggle }] = useDisclosure(Object.keys(value).length > 0);
  const id = useId();
  const isRefused = ["session_id", "parent_session_id", "execution_mode"].some(errorOf);
  const isShown = isOpen || isRefused;
  const change = (name: keyof StartOptions, text: string | null) => {
    const { [name]: _old, ...rest } = value;
    onChange(text === null || text.trim() === "" ? rest : { ...rest, [name]: text.trim() });
  };
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        px={4}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={toggle}
        leftSection={
          isShown ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />
        }
      >
        More options
      </Button>
      <Collapse expanded={isShown} id={id}>
        <Stack gap="sm" pt="xs">
          <TextInput
            label="Session"
            description="An idle session of the same agent, or the name of a new one. Default: a new session."
            value={value.session_id ?? ""}
            error={errorOf("session_id")}
            onChange={(event) => change("session_id", event.currentTarget.value)}
          />
          <TextInput
            label="Parent session"
            description="The session on whose behalf it runs."
            value={value.parent_session_id ?? ""}
            error={errorOf("parent_session_id")}
            onChange={(event) => change("parent_session_id", event.currentTarget.value)}
          />
          <Select
            label="Execution mode"
            data={MODES}
            allowDeselect={false}
            value={value.execution_mode ?? "async_poll"}
            error={errorOf("execution_mode")}
            onChange={(mode) => change("execution_mode", mode)}
          />
        </Stack>
      </Collapse>
    </div>
  );
}
