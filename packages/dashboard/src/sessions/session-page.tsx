import { PageHeader } from "../parts/page-header.tsx";

export function SessionPage() {
  return <PageHeader title="Session" />;
}
