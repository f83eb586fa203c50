import { Alert, Button, Card, Center, Code, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { isProblem } from "../api/problem.ts";
import { useWrite } from "../api/use-write.ts";
import { errorMessage } from "../components/error-message.ts";

export interface SignInProps {
  /** Why the user has to sign in again. */
  readonly reason?: keyof typeof REASONS | undefined;
}

/** Sign in with a token. */
export function SignInPage({ reason }: SignInProps) {
  useDocumentTitle("Sign in · Tenterhook");
  const client = useQueryClient();
  const [token, setToken] = useState("");
  const signIn = useWrite({
    mutationFn: () => call("POST /login", { body: { token: token.trim() } }),
    onSuccess: () => client.invalidateQueries(),
    // A refused token does not end a session.
    meta: { isSignIn: true },
  });
  return (
    <Center mih="100vh" p="md" component="main">
      <Card withBorder shadow="sm" padding="xl" w={440} maw="100%">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            signIn.mutate();
          }}
        >
          <Stack>
            <Title order={1} size="h3">
              Tenterhook
            </Title>
            {reason !== undefined && (
              <Alert
                color="gray"
                variant="light"
                role="status"
                icon={<IconInfoCircle aria-hidden />}
                {...REASONS[reason]}
              />
            )}
            <Text size="sm">
              Open the link that <Code>tenterhook up</Code> or <Code>tenterhook tokens link</Code> prints, or
              paste a token.
            </Text>
            <PasswordInput
              label="Token"
              placeholder="tenterhook_…"
              autoComplete="current-password"
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
              error={signIn.error === null ? undefined : signInProblem(signIn.error)}
              aria-invalid={signIn.error !== null}
              data-autofocus
              required
            />
            <Button type="submit" loading={signIn.isPending} disabled={token.trim() === ""}>
              Sign in
            </Button>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}

const REASONS = {
  ended: {
    title: "Your session has ended",
    children: "It expired, or its token was revoked. Sign in to return to this page.",
  },
  "used-link": {
    title: "This sign-in link was used already, or has expired",
    children: (
      <>
        A sign-in link works once, and for a few minutes. Print another with{" "}
        <Code>tenterhook tokens link</Code> on the coordinator's machine, or paste a token here.
      </>
    ),
  },
  "unknown-link": {
    title: "The coordinator does not know this sign-in link",
    children: (
      <>
        It is incomplete or mistyped, belongs to another coordinator, or was made long ago. Open the whole
        link again, print another with <Code>tenterhook tokens link</Code>, or paste a token here.
      </>
    ),
  },
} as const;

function signInProblem(error: unknown): string {
  if (!isProblem(error, "unauthenticated")) return errorMessage(error);
  return "The coordinator does not know this token: it is mistyped, revoked, expired, or of another coordinator.";
}
