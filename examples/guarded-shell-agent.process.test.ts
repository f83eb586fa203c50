import { openAiServer } from "@tenterhook/agent/testing";
import { expect, onTestFinished, test } from "vitest";
import { runExample } from "./testing/run-example.ts";

test("the example runs what is harmless and says why it refused the rest", async () => {
  expect(await runExample("guarded-shell-agent")).toEqual({
    exitCode: 0,
    stdout: `A shell behind four hooks

 model  a script; set OPENAI_BASE_URL for a real one
  user  Tidy up this folder, and see whether https://example.com is up.

step 1
 agent  I look around first.
  call  Shell ls
  hook  time-limit on before_tool changed toolInput
  runs  Shell ls
          timeout_ms: 5000
result  build.log
        notes.txt

step 2
 agent  There are notes.
  call  ReadFile notes.txt
result  The build log can go.

step 3
 agent  The log can go.
  call  Shell rm build.log
  hook  no-destruction on before_tool refused it: this would destroy data

step 4
 agent  Is the site up?
  call  Shell curl https://example.com
  hook  time-limit on before_tool changed toolInput
  hook  network on before_tool refused it: the person said no (it leaves this machine)

step 5
 agent  I read the notes. I could neither delete the log nor reach the site: both were refused.

   end  completed after 5 steps

What the observer saw
        proceed: Shell ls
        proceed: ReadFile notes.txt
        block: Shell rm build.log
        block: Shell curl https://example.com
`,
    stderr: "",
    leftBehind: [],
  });
});

test("a model behind HTTP is asked with its key, held by the same hooks, and told why", async () => {
  const shell = (command: string) => ({ name: "Shell", input: { command } });
  const server = await openAiServer([
    { text: "Both at once.", toolCalls: [shell("rm notes.txt"), shell("cat notes.txt")] },
    "They are still there.",
  ]);
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "key-of-the-test", OPENAI_MODEL: "small" };
  const { stdout, leftBehind } = await runExample("guarded-shell-agent", env);

  expect(stdout).toContain(` model  small at ${server.url}\n`);
  expect(stdout).toContain(`
step 1
 agent  Both at once.
  call  Shell rm notes.txt
  hook  no-destruction on before_tool refused it: this would destroy data
  call  Shell cat notes.txt
  hook  time-limit on before_tool changed toolInput
  runs  Shell cat notes.txt
          timeout_ms: 5000
result  The build log can go.

step 2
 agent  They are still there.

   end  completed after 2 steps
`);
  expect(leftBehind).toEqual([]);

  const [first, second] = server.requests;
  expect(first?.headers.authorization).toBe("Bearer key-of-the-test");
  expect(first?.body).toMatchObject({ model: "small", stream: true });
  expect(JSON.stringify(second?.body.messages)).toContain("this would destroy data");
});
