import { IconMapOff } from "@tabler/icons-react";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { AnchorLink } from "../components/router-links.ts";

export function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState icon={IconMapOff} title="Page not found">
        The address may be mistyped, or from another version.{" "}
        <AnchorLink to="/runs" inherit>
          Go to runs
        </AnchorLink>
      </EmptyState>
    </>
  );
}
