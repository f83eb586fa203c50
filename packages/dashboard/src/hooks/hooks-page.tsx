import { PageHeader } from "../parts/page-header.tsx";

export function HooksPage() {
  return <PageHeader title="Hooks" />;
}
