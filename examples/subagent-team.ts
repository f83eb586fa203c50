// A lead with two subagents. What the lead's hooks forbid, count and log holds in the whole team.
import { builtInTools, createAgent, createHooks } from "@tenterhook/agent";
import { budget, toolPolicy } from "@tenterhook/engine/built-in";
import { modelFor } from "./model.ts";
import { printSummary, runWithProgress } from "./story.ts";
import { tempFolder } from "./temp-folder.ts";

const MESSAGE = "Write today's tides from the files here into tides.md, for people who swim.";
const log: string[] = [];

async function team(maxToolCalls: number) {
  const researcher = createAgent({
    name: "researcher",
    description: "Finds things out in the files of the work folder.",
    instructions: "Answer with facts from files, in one sentence.",
    model: await modelFor([
      { toolCalls: [{ name: "Glob", input: { pattern: "*" } }] },
      { text: "The passwords may help.", toolCalls: [{ name: "ReadFile", input: { file_path: ".env" } }] },
      { toolCalls: [{ name: "ReadFile", input: { file_path: "tides.csv" } }] },
      "High water is at 06:12 and 18:40.",
    ]),
    tools: builtInTools({ only: ["Glob", "ReadFile"] }),
  });

  const writer = createAgent({
    name: "writer",
    description: "Writes files in the work folder. Knows only what the task says.",
    instructions: "Write short and friendly.",
    model: await modelFor([
      {
        toolCalls: [
          {
            name: "WriteFile",
            input: { file_path: "tides.md", content: "Swim at 06:12 or at 18:40: the water is high.\n" },
          },
        ],
      },
      "tides.md is written.",
    ]),
    tools: builtInTools({ only: ["WriteFile"] }),
  });

  const hooks = createHooks();
  budget(hooks, { maxToolCalls }); // before the policy, so that what it refuses counts too
  toolPolicy(hooks, { deny: ["*(**/.env)"] });
  hooks.on("subagent_start", ({ subagentName, taskDescription }) => {
    log.push(`${subagentName} starts: ${taskDescription}`);
  });
  hooks.on("subagent_stop", ({ subagentName, stopReason }) => {
    log.push(`${subagentName} stops: ${stopReason}`);
  });

  return createAgent({
    name: "lead",
    instructions:
      "You have a researcher and a writer. Delegate one task at a time, then sum up in a sentence.",
    model: await modelFor([
      { toolCalls: [{ name: "researcher", input: { task: "When is high water today?" } }] },
      {
        toolCalls: [{ name: "writer", input: { task: "Write tides.md: high water is at 06:12 and 18:40." } }],
      },
      "tides.md tells swimmers to come at 06:12 or 18:40.",
    ]),
    hooks,
    subagents: [researcher, writer],
    parallelTools: false, // so that the story has one thread
    workDir: tempFolder({ "tides.csv": "high,06:12\nlow,12:25\nhigh,18:40\n", ".env": "PASSWORD=hunter2\n" }),
  });
}

const lead = await team(20);
const { status } = await runWithProgress("A team under one set of hooks", lead, MESSAGE);
await lead.close();
printSummary("What the hooks logged", log);

if (status === "completed") {
  console.log("\n");
  const thrifty = await team(2);
  await runWithProgress("The same team, with two tool calls between them all", thrifty, MESSAGE);
  await thrifty.close();
}
