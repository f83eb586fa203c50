// Called with the input of a finish hook, which contains the result of the previous run.
export default function dataProcessor({ status, result_data }) {
  const records = status === "completed" ? result_data.records : [];
  const total = records.reduce((sum, record) => sum + record.total, 0);
  return { processed_count: records.length, summary: `${records.length} records, ${total} in total` };
}
