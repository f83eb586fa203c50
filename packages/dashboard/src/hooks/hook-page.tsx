import { PageHeader } from "../parts/page-header.tsx";

export function HookPage() {
  return <PageHeader title="Hook" />;
}
