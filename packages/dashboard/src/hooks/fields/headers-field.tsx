import { ActionIcon, Button, Code, Group, Input, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { isRecord } from "@tenterhook/internal";
import { useField } from "../../editing/editor-context.ts";

const EXAMPLE = `Bearer \${API_TOKEN}`;
const VARIABLE = `\${NAME}`;

/** The headers of an HTTP hook. */
export function HeadersField({ path }: { readonly path: string }) {
  const { id, value, error, readOnly, set } = useField(path);
  const headers = Object.entries(isRecord(value) ? value : {});
  const change = (index: number, header: readonly [string, unknown] | undefined) => {
    const next = headers.flatMap((each, at) =>
      at === index ? (header === undefined ? [] : [header]) : [each],
    );
    set(next.length === 0 ? undefined : Object.fromEntries(next));
  };
  return (
    <Input.Wrapper
      id={id}
      labelElement="div"
      label="Headers"
      description={
        <>
          <Code>{VARIABLE}</Code> is replaced by an environment variable that the coordinator was allowed to
          use when it was started. This keeps secrets out of blueprints.
        </>
      }
      error={error}
    >
      <Stack gap="xs" mt="xs" mb={error === undefined ? 0 : "xs"}>
        {headers.map(([name, text], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while it is typed, and the field must stay
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              flex="1 1 35%"
              aria-label={`Name of header ${index + 1}`}
              placeholder="Authorization"
              value={name}
              readOnly={readOnly}
              spellCheck={false}
              onChange={(event) => change(index, [event.currentTarget.value, text])}
            />
            <TextInput
              flex="1 1 65%"
              aria-label={`Value of header ${index + 1}`}
              placeholder={EXAMPLE}
              value={typeof text === "string" ? text : JSON.stringify(text)}
              readOnly={readOnly}
              spellCheck={false}
              onChange={(event) => change(index, [name, event.currentTarget.value])}
            />
            {!readOnly && (
              <ActionIcon
                variant="default"
                size={36}
                aria-label={`Remove header ${index + 1}`}
                onClick={() => change(index, undefined)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        ))}
        {headers.length === 0 && readOnly && <Text size="sm">None</Text>}
        {!readOnly && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              // A header without a name is still being typed.
              disabled={headers.some(([name]) => name === "")}
              onClick={() => set(Object.fromEntries([...headers, ["", ""]]))}
            >
              Add header
            </Button>
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
