import { PageHeader } from "../parts/page-header.tsx";

export function AgentPage() {
  return <PageHeader title="Agent" />;
}
