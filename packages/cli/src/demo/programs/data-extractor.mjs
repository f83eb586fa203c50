export default function dataExtractor({ source = "orders" }) {
  return {
    source,
    records: [
      { id: 1, total: 20 },
      { id: 2, total: 22 },
    ],
  };
}
