// Called with what a finish hook is told: the result of the run before is in it.
export default function dataProcessor({ status, result_data }) {
  const records = status === "completed" ? result_data.records : [];
  const total = records.reduce((sum, record) => sum + record.total, 0);
  return { processed_count: records.length, summary: `${records.length} records, ${total} in total` };
}
