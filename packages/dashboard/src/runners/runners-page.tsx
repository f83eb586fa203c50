import { PageHeader } from "../parts/page-header.tsx";

export function RunnersPage() {
  return <PageHeader title="Runners" />;
}
