import { expect, test } from "vitest";
import { runExample } from "./testing/run-example.ts";

test("the example's hooks hold in its subagents, and the team shares one budget", async () => {
  expect(await runExample("subagent-team")).toEqual({
    exitCode: 0,
    stdout: `A team under one set of hooks

 model  a script; set OPENAI_BASE_URL for a real one
  user  Write today's tides from the files here into tides.md, for people who swim.

step 1
  call  researcher When is high water today?
        | step 1
        |   call  Glob *
        | result  .env
        |         tides.csv
        | step 2
        |  agent  The passwords may help.
        |   call  ReadFile .env
        |   hook  tool-policy on before_tool refused it: The tool policy denies *(**/.env), and this call is one.
        | step 3
        |   call  ReadFile tides.csv
        | result  high,06:12
        |         low,12:25
        |         high,18:40
        | step 4
        |  agent  High water is at 06:12 and 18:40.

step 2
  call  writer Write tides.md: high water is at 06:12 and 18:40.
        | step 1
        |   call  WriteFile tides.md
        |           content: Swim at 06:12 or at 18:40: the water is high.
        | result  Made tides.md (46 bytes).
        | step 2
        |  agent  tides.md is written.

step 3
 agent  tides.md tells swimmers to come at 06:12 or 18:40.

   end  completed after 3 steps

What the hooks logged
        researcher starts: When is high water today?
        researcher stops: no_tool_calls
        writer starts: Write tides.md: high water is at 06:12 and 18:40.
        writer stops: no_tool_calls


The same team, with two tool calls between them all

 model  a script; set OPENAI_BASE_URL for a real one
  user  Write today's tides from the files here into tides.md, for people who swim.

step 1
  call  researcher When is high water today?
        | step 1
        |   call  Glob *
        | result  .env
        |         tides.csv
        | step 2
        |  agent  The passwords may help.
        |   call  ReadFile .env
        |   hook  budget on before_tool stopped the run: The budget of this run is used up: 2 of 2 tool calls (maxToolCalls).

   end  stopped after 1 step: The budget of this run is used up: 2 of 2 tool calls (maxToolCalls).
`,
    stderr: "",
    leftBehind: [],
  });
});
