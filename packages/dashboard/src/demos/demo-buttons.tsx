import { Loader, Stack, UnstyledButton } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { call } from "../api/call.ts";
import { IdempotencyKey } from "../api/idempotency-key.ts";
import { useWrite } from "../api/use-write.ts";
import { ProblemState } from "../components/problem-state.tsx";
import classes from "./demo-buttons.module.css";
import type { Demo } from "./demos.ts";

/** A button for each demo, which starts a run and opens it. Its questions are asked on the page of the run. */
export function DemoButtons({ demos }: { readonly demos: readonly Demo[] }) {
  const navigate = useNavigate();
  const key = useRef(new IdempotencyKey());
  // One for all buttons: a second press, on whichever of them, does not start a second run.
  const start = useWrite({
    mutationFn: ({ agent, parameters }: Demo) => {
      const body = { agent_name: agent, parameters };
      const headers = { "idempotency-key": key.current.of(body) };
      return call("POST /runs", { query: { wait: 0 }, body, headers });
    },
    onSuccess: ({ run_id }) => navigate({ to: "/runs/$id", params: { id: run_id } }),
  });
  return (
    <Stack w="100%">
      <div className={classes.grid}>
        {demos.map((demo) => (
          <UnstyledButton
            key={demo.agent}
            className={classes.demo}
            // Not disabled: that would take the keyboard focus away.
            aria-disabled={start.isPending}
            onClick={() => start.mutate(demo)}
          >
            {start.isPending && start.variables?.agent === demo.agent ? (
              <Loader size={18} aria-hidden />
            ) : (
              <IconPlayerPlay size={18} aria-hidden />
            )}
            <span>
              <span className={classes.title}>{demo.title}</span>{" "}
              <span className={classes.about}>{demo.about}</span>
            </span>
          </UnstyledButton>
        ))}
      </div>
      {start.error !== null && <ProblemState error={start.error} />}
    </Stack>
  );
}
