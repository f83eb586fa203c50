// Called with the input of a start hook; its answer contains the new parameters of the agent.
export default function pathResolver({ parameters }) {
  const resolved_path = `/data/reports/${parameters.report_id}.csv`;
  return { action: "continue", parameters: { ...parameters, resolved_path } };
}
