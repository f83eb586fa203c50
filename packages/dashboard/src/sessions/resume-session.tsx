import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { SessionDetail } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { useMay } from "../access/identity.ts";
import { call } from "../api/call.ts";
import { isProblem, readProblem } from "../api/problem.ts";
import { queries } from "../api/queries.ts";
import { useWrite } from "../api/use-write.ts";
import { errorMessage } from "../components/error-message.ts";
import { RunLink } from "../components/links.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { ParametersForm } from "../parameters/parameters-form.tsx";

/** Starts another run in a session. While a run is active, it is shown instead: a session has one run at a time. */
export function ResumeSession({ session }: { readonly session: SessionDetail }) {
  const [isOpen, { open, close }] = useDisclosure();
  const { active_run_id, kind, agent_name } = session;
  // The session of a hook run cannot be resumed.
  if (!useMay("run") || kind === "hook") return null;
  return (
    <>
      {active_run_id !== null && (
        <Text size="sm" c="dimmed" component="div">
          <RunLink id={active_run_id} /> is active
        </Text>
      )}
      <Button
        size="sm"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        disabled={active_run_id !== null}
        onClick={open}
      >
        Resume
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Resume with ${agent_name}`}
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ResumeForm session={session} onDone={close} />
      </Modal>
    </>
  );
}

function ResumeForm({ session, onDone }: { readonly session: SessionDetail; readonly onDone: () => void }) {
  const { session_id, agent_name } = session;
  const client = useQueryClient();
  const agent = useQuery(queries.agent(agent_name));
  const [parameters, setParameters] = useState<Record<string, unknown>>({});
  const [isValid, setIsValid] = useState(true);
  const { mutate, isPending, error } = useWrite({
    mutationFn: () =>
      call("POST /sessions/{id}/resume", { params: { id: session_id }, query: {}, body: { parameters } }),
    onSuccess: async () => {
      onDone();
      await client.invalidateQueries({ queryKey: ["session", session_id] });
    },
  });
  const isInvalid = isProblem(error, "bad_parameters");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <Text size="sm">The agent continues the conversation of this session with a new run.</Text>
        {agent.isError && <ProblemState error={agent.error} />}
        {agent.isSuccess && (
          <ParametersForm
            schema={agent.data.blueprint.parameters_schema}
            value={parameters}
            onChange={setParameters}
            onValidity={setIsValid}
            problem={
              isInvalid ? { field: readProblem(error)?.field, message: errorMessage(error) } : undefined
            }
          />
        )}
        {error !== null && !isInvalid && <ProblemState error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={!isValid || !agent.isSuccess}>
            Start run
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
