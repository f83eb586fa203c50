import { PageHeader } from "../parts/page-header.tsx";

export function AgentsPage() {
  return <PageHeader title="Agents" />;
}
