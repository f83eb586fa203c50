import { PageHeader } from "../parts/page-header.tsx";

export function NewHookPage() {
  return <PageHeader title="New hook" />;
}
