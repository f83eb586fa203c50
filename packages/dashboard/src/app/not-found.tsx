import { IconMapOff } from "@tabler/icons-react";
import { MissingState } from "../components/missing-state.tsx";
import { PageHeader } from "../components/page-header.tsx";

export function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <MissingState icon={IconMapOff} title="Page not found" list="/runs">
        The address may be mistyped, or from another version.
      </MissingState>
    </>
  );
}
