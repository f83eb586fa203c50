import { PageHeader } from "../parts/page-header.tsx";

export function RunPage() {
  return <PageHeader title="Run" />;
}
