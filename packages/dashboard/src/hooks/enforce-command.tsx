import { Stack, Text } from "@mantine/core";
import { shellWord } from "@tenterhook/internal";
import { MAX_RUNNER_HOOK_NAME } from "@tenterhook/protocol/runs";
import { CommandLine } from "../components/command-line.tsx";

/** How a hook on a runner is enforced: where it is defined, which this page does not know. */
export function EnforceCommand({ name }: { readonly name: string }) {
  // The end of a long name is not stored.
  const isWhole = name.length < MAX_RUNNER_HOOK_NAME;
  return (
    <Stack gap={4}>
      <Text size="sm">
        {isWhole
          ? "A hook in a file is enforced on the machine of the runner; one in code without its enforce: false."
          : "It is enforced where it is defined, without its enforce: false."}
      </Text>
      {isWhole && <CommandLine command={`tenterhook enforce ${shellWord(name)}`} />}
    </Stack>
  );
}
