// `npm run bench [suite…]` prints the table; `npm run bench -- rules --corpus DIR` asks the rules about collections of commands.
import { adaptersSuite } from "./adapters/suite.ts";
import { agentSuite } from "./agent/suite.ts";
import { cliSuite } from "./cli/suite.ts";
import { clientSuite } from "./client/suite.ts";
import { foldingSuite, insightsSuite } from "./coordinator/insights-suite.ts";
import { coordinatorSuite } from "./coordinator/suite.ts";
import { engineSuite } from "./engine/suite.ts";
import { fileHooksSuite } from "./file-hooks/suite.ts";
import { compareRules } from "./rules/compare.ts";
import { runBenchmark } from "./run-benchmark.ts";

if (process.argv[2] === "rules") compareRules(process.argv.slice(3));
else
  await runBenchmark(import.meta.url, {
    engine: engineSuite,
    "file-hooks": fileHooksSuite,
    agent: agentSuite,
    adapters: adaptersSuite,
    client: clientSuite,
    coordinator: coordinatorSuite,
    folding: foldingSuite,
    insights: insightsSuite,
    cli: cliSuite,
  });
