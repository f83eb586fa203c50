// Called with what a start hook is told; what it answers are the parameters that the agent gets.
export default function pathResolver({ parameters }) {
  const resolved_path = `/data/reports/${parameters.report_id}.csv`;
  return { action: "continue", parameters: { ...parameters, resolved_path } };
}
