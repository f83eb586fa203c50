import { appendFileSync } from "node:fs";

// Called with what a finish hook is told. What is logged becomes an event of the run that carries the hook out.
export default function auditLogger({ agent_name, run_id, status, error }) {
  const line = { time: new Date().toISOString(), agent_name, run_id, status, error };
  appendFileSync(new URL("audit.jsonl", import.meta.url), `${JSON.stringify(line)}\n`);
  console.log(`${agent_name} ${status}`);
  return {};
}
