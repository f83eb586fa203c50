import { budget } from "@tenterhook/engine/built-in";
import { ask, block, stop } from "@tenterhook/protocol";
import type { Scenario } from "./scenario.ts";
import { delegate, shell } from "./script-parts.ts";

const needs = [["subagent_start"], ["subagent_stop"]] as const;

/** Agents that are run by a tool of another one: its bag of metadata, and its stop. */
export const SUBAGENT_SCENARIOS: readonly Scenario[] = [
  {
    name: "counts the tool calls of subagents towards the budget of the run",
    needs,
    script: [
      { calls: [delegate("helper", "d1")] },
      { calls: [delegate("helper", "d2")] },
      { calls: [delegate("helper", "d3")] },
      { text: "Done." },
    ],
    subagents: {
      helper: [
        { calls: [shell("a", "s1")] },
        { text: "Helped." },
        { calls: [shell("b", "s2")] },
        { text: "Helped." },
        { calls: [shell("c", "s3")] },
        { text: "Helped." },
      ],
    },
    hooks: (hooks) => void budget(hooks, { maxToolCalls: 3 }),
    executed: ["a"],
    outcome: { error: "The budget of this run is used up: 3 of 3 tool calls" },
  },
  {
    name: "ends the whole run when a hook stops a subagent",
    needs,
    script: [{ calls: [delegate("helper", "d1")] }, { text: "Done." }],
    subagents: {
      helper: [{ calls: [shell("a", "s1")] }, { calls: [shell("b", "s2")] }, { text: "Helped." }],
    },
    hooks: (hooks) =>
      void hooks.on("after_tool", ({ toolInput }) =>
        toolInput.command === "a" ? stop("that is enough") : undefined,
      ),
    executed: ["a"],
    outcome: { error: "that is enough" },
  },
  {
    name: "ends a subagent when the caller aborts the run",
    needs,
    script: [{ calls: [delegate("helper", "d1")] }, { text: "Done." }],
    subagents: {
      helper: [{ calls: [shell("leave", "s1")] }, { calls: [shell("late", "s2")] }, { text: "Helped." }],
    },
    hooks: () => undefined,
    waitsFor: "subagent_stop",
    executed: ["leave"],
    outcome: { error: "the user left" },
  },
  {
    name: "ends a subagent when a hook stops the run at a call beside it",
    needs,
    script: [{ calls: [delegate("helper", "d1"), shell("stop", "s1")] }, { text: "Done." }],
    subagents: {
      helper: [{ calls: [shell("wait", "s2")] }, { calls: [shell("late", "s3")] }, { text: "Helped." }],
    },
    hooks: (hooks) =>
      void hooks.on("after_tool", ({ toolInput }) =>
        toolInput.command === "stop" ? stop("that is enough") : undefined,
      ),
    waitsFor: "subagent_stop",
    executed: ["wait", "stop"],
    outcome: { error: "that is enough" },
  },
  {
    name: "has one bag for subagents that run at the same time, and a stop of one ends the others",
    needs,
    script: [{ calls: [delegate("helper", "d1"), delegate("other", "d2")] }, { text: "Done." }],
    subagents: {
      helper: [{ calls: [shell("wait", "s1")] }, { calls: [shell("late", "s2")] }, { text: "Helped." }],
      other: [{ calls: [shell("stop", "s3")] }, { calls: [shell("late", "s4")] }, { text: "Helped." }],
    },
    hooks: (hooks) => {
      hooks.on("before_tool", ({ toolInput, metadata }) => {
        if (["wait", "stop"].includes(String(toolInput.command)))
          metadata.calls = Number(metadata.calls ?? 0) + 1;
      });
      hooks.on("after_tool", ({ toolInput, metadata }) =>
        toolInput.command === "stop" ? stop(`enough after ${metadata.calls} calls`) : undefined,
      );
    },
    waitsFor: "subagent_stop",
    executed: ["wait", "stop"],
    outcome: { error: "enough after 2 calls" },
  },
  {
    name: "gives the bag of the run to a subagent that has waited for a person",
    needs: [...needs, ["before_tool", "ask"]],
    script: [{ calls: [delegate("helper", "d1")] }, { calls: [delegate("helper", "d2")] }, { text: "Done." }],
    subagents: {
      helper: [
        { calls: [shell("a", "s1")] },
        { text: "Helped." },
        { calls: [shell("b", "s2")] },
        { calls: [shell("late", "s3")] },
        { text: "Helped." },
      ],
    },
    hooks: (hooks) => {
      hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "a" ? ask("May it?") : undefined));
      hooks.on("after_tool", ({ toolInput, metadata }) => {
        if (!["a", "b"].includes(String(toolInput.command))) return undefined;
        metadata.calls = Number(metadata.calls ?? 0) + 1;
        return metadata.calls === 2 ? stop("that is enough") : undefined;
      });
    },
    executed: ["a", "b"],
    outcome: { error: "that is enough" },
  },
  {
    name: "fires subagent_stop for a delegation that a hook refuses",
    needs: [["subagent_start", "block"], ["subagent_stop"]],
    script: [{ calls: [delegate("helper", "d1")] }, { text: "Done." }],
    subagents: { helper: [] },
    hooks: (hooks, _abort, note) => {
      hooks.on("subagent_start", () => block("not today"));
      hooks.on("subagent_stop", ({ stopReason }) => note(`subagent_stop ${stopReason}`));
    },
    executed: [],
    outcome: { text: "Done." },
    notes: ["subagent_stop refused"],
    reads: { 1: ["not today"] },
  },
  {
    name: "says of a subagent whose model fails that it stopped by an error",
    needs: [...needs, ["on_error"]],
    script: [{ calls: [delegate("helper", "d1")] }, { text: "Done." }],
    subagents: { helper: [{ error: "overloaded" }] },
    hooks: (hooks, _abort, note) =>
      void hooks.on("subagent_stop", ({ stopReason }) => note(`subagent_stop ${stopReason}`)),
    executed: [],
    outcome: { text: "Done." },
    notes: ["subagent_stop error"],
  },
  {
    name: "says of a subagent that a hook stopped that it was stopped by a hook",
    needs: [...needs, ["after_tool", "stop"]],
    script: [{ calls: [delegate("helper", "d1")] }],
    subagents: { helper: [{ calls: [shell("ls")] }] },
    hooks: (hooks, _abort, note) => {
      hooks.on("after_tool", ({ toolInput }) => (toolInput.command === "ls" ? stop("enough") : undefined));
      hooks.on("subagent_stop", ({ stopReason }) => note(`subagent_stop ${stopReason}`));
    },
    executed: ["ls"],
    outcome: { error: "enough" },
    notes: ["subagent_stop stopped_by_hook"],
  },
  {
    name: "ends the run that a hook stops before it delegates",
    needs: [["subagent_start", "stop"]],
    script: [{ calls: [delegate("helper", "d1")] }],
    subagents: { helper: [] },
    hooks: (hooks) => void hooks.on("subagent_start", () => stop("enough")),
    executed: [],
    outcome: { error: "enough" },
  },
  {
    name: "ends the run that a hook stops when a subagent would stop",
    needs: [["subagent_stop", "stop"]],
    script: [{ calls: [delegate("helper", "d1")] }],
    subagents: { helper: [{ text: "Helped." }] },
    hooks: (hooks) => void hooks.on("subagent_stop", () => stop("enough")),
    executed: [],
    outcome: { error: "enough" },
  },
];
