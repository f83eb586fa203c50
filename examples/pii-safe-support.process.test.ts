import { openAiServer } from "@tenterhook/agent/testing";
import { expect, onTestFinished, test } from "vitest";
import { runExample } from "./testing/run-example.ts";

test("the example holds its answers back, masks both ways, and logs without personal data", async () => {
  expect(await runExample("pii-safe-support")).toEqual({
    exitCode: 0,
    stdout: `Support without personal data

 model  a script; set OPENAI_BASE_URL for a real one
  user  I am jane@example.com. My card 4111 1111 1111 1111 was charged twice for order A-1042!

step 1
  hook  redaction on before_llm changed messages
        (hooks may change or refuse this answer, so it is shown after they have run)
 agent  I look it up.
  call  FindOrder A-1042
result  {"order":"A-1042","email":"jane@example.com","card":"4111 1111 1111 1111","charges":[19.9,19.9]}

step 2
  hook  redaction on before_llm changed messages
        (hooks may change or refuse this answer, so it is shown after they have run)
  hook  redaction on after_llm changed text
 agent  The second charge was a mistake, and 19.90 is on its way back. Anything else? Write to [redacted:email].

   end  completed after 2 steps

What the model was sent last
        system: You help customers of a shop with their orders. Be brief and friendly.
        user: I am [redacted:email]. My card [redacted:credit_card] was charged twice for order A-1042!
        assistant: I look it up. {"order":"A-1042"}
        tool: {"order":"A-1042","email":"[redacted:email]","card":"[redacted:credit_card]","charges":[19.9,19.9]}

What the audit log has
        before_llm: redaction changed messages
        after_llm: nothing changed
        before_llm: redaction changed messages
        after_llm: redaction changed text
        No address and no card number.
`,
    stderr: "",
    leftBehind: [],
  });
});

test("neither the address nor the card number leaves over HTTP", async () => {
  const server = await openAiServer([
    { toolCalls: [{ name: "FindOrder", input: { order: "A-1042" } }] },
    "All is well.",
  ]);
  onTestFinished(() => server.close());
  const { stdout } = await runExample("pii-safe-support", { OPENAI_BASE_URL: server.url });
  expect(stdout).toContain(" agent  All is well.\n");
  const sent = server.requests.map(({ body }) => JSON.stringify(body));
  expect(sent.length).toBe(2);
  for (const body of sent) expect(body).not.toMatch(/jane@|4111/);
  expect(sent[1]).toContain("[redacted:credit_card]");
});
