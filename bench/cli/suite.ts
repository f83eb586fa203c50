import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measure, type Row, type Suite } from "../measure.ts";
import { bridgeCalls, callsAtOnce } from "./bridge.ts";
import { insightsOfLog } from "./insights.ts";

const BIN = fileURLToPath(new URL("../../../packages/cli/dist/bin/tenterhook.js", import.meta.url));

/** What starting the command costs, against starting Node. */
export const cliSuite: Suite = {
  versionStartup,
  warmPlan,
  bridgeCalls,
  callsAtOnce,
  insightsOfLog,
};

async function versionStartup(): Promise<Row[]> {
  const best = await measure(
    { node: nodeRun("-e", "0"), ours: nodeRun(BIN, "--version") },
    { times: 1, rounds: 60 },
  );
  return [
    {
      what: "tenterhook --version",
      against: "node -e 0",
      ours: best.ours,
      theirs: best.node,
      bar: { most: 1.15 },
    },
  ];
}

async function warmPlan(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  try {
    const folder = join(home, ".config", "agents", "hooks", "guard");
    mkdirSync(folder, { recursive: true });
    const frontmatter =
      "name: guard\ndescription: For measuring\ntrigger: before_tool\naction: block\nreason: no";
    writeFileSync(join(folder, "HOOK.md"), `---\n${frontmatter}\n---\n`);
    process.env.HOME = home;
    const plan = nodeRun(BIN, "explain", "before_tool", "--tool", "Shell");
    await plan();
    const best = await measure({ node: nodeRun("-e", "0"), ours: plan }, { times: 1, rounds: 25 });
    return [
      { what: "tenterhook explain, warm cache", against: "node -e 0", ours: best.ours, theirs: best.node },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function nodeRun(...args: readonly string[]): () => Promise<void> {
  return () =>
    new Promise((resolve, reject) => {
      spawn(process.execPath, args, { stdio: "ignore" })
        .once("error", reject)
        .once("exit", (code) =>
          code === 0 ? resolve() : reject(new Error(`node ${args.join(" ")} ended with ${code}`)),
        );
    });
}
