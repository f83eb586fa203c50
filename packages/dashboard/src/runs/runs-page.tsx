import { PageHeader } from "../parts/page-header.tsx";

export function RunsPage() {
  return <PageHeader title="Runs" />;
}
