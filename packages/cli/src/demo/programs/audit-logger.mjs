import { appendFileSync } from "node:fs";

// Called with the input of a finish hook. What it logs becomes an event of the hook's run.
export default function auditLogger({ agent_name, run_id, status, error }) {
  const line = { time: new Date().toISOString(), agent_name, run_id, status, error };
  appendFileSync(new URL("audit.jsonl", import.meta.url), `${JSON.stringify(line)}\n`);
  console.log(`${agent_name} ${status}`);
  return {};
}
