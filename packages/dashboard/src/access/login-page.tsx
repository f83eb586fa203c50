import { Button, Card, Center, Code, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { messageOf } from "../parts/problem-words.ts";

/** The way in: a token, pasted. */
export function LoginPage() {
  const client = useQueryClient();
  const [token, setToken] = useState("");
  const login = useMutation({
    mutationFn: () => call("POST /login", { body: { token: token.trim() } }),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <Center mih="100vh" p="md" component="main">
      <Card withBorder shadow="sm" padding="xl" w={420} maw="100%">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            login.mutate();
          }}
        >
          <Stack>
            <Title order={1} size="h3">
              Tenterhook
            </Title>
            <Text size="sm">
              Open the link that <Code>tenterhook up</Code> or <Code>tenterhook token link</Code> prints, or
              paste a token.
            </Text>
            <PasswordInput
              label="Token"
              placeholder="tenterhook_…"
              autoComplete="current-password"
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
              error={login.error === null ? undefined : messageOf(login.error)}
              data-autofocus
              required
            />
            <Button type="submit" loading={login.isPending} disabled={token.trim() === ""}>
              Log in
            </Button>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
