import { Anchor } from "@mantine/core";
import { IconMapOff } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../parts/empty-state.tsx";

export function NotFound() {
  return (
    <EmptyState icon={IconMapOff} title="There is no such page">
      The address may be mistyped, or from another version.{" "}
      <Anchor component={Link} to="/runs" inherit>
        Go to the runs
      </Anchor>
    </EmptyState>
  );
}
