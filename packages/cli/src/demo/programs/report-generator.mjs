export default function reportGenerator({ report_id, resolved_path }) {
  return { report: `Report ${report_id}`, made_from: resolved_path };
}
