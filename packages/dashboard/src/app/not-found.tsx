import { IconMapOff } from "@tabler/icons-react";
import { EmptyState } from "../parts/empty-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { AnchorLink } from "../parts/router-links.ts";

export function NotFound() {
  return (
    <>
      <PageHeader title="Nowhere" />
      <EmptyState icon={IconMapOff} title="There is no such page">
        The address may be mistyped, or from another version.{" "}
        <AnchorLink to="/runs" inherit>
          Go to the runs
        </AnchorLink>
      </EmptyState>
    </>
  );
}
