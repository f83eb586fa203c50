import { Badge, Text } from "@mantine/core";
import { IconFishHook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type HookInUse, readHookKey, type UsedHook } from "@tenterhook/protocol/runs";
import { queries } from "../api/queries.ts";
import { hookLabel } from "../components/hook-label.ts";
import { MissingState } from "../components/missing-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { AnchorLink } from "../components/router-links.ts";
import { visibleText } from "../components/visible-text.ts";
import { readRange } from "../insights/insight-range.ts";
import { EnforceInlineHook } from "./enforce-button.tsx";
import { EnforceCommand } from "./enforce-command.tsx";
import { HookInsights } from "./insights/hook-insights.tsx";
import { UsedBy } from "./used-by.tsx";

/** A hook that has no definition of its own to edit: one of a blueprint, or one on a runner. */
export function UsedHookPage() {
  const { hook = "" } = useSearch({ from: "/hook" });
  const used = readHookKey(hook);
  if (used !== undefined) return <UsedHookInsights key={hook} hook={hook} used={used} />;
  return (
    <>
      <PageHeader title="Hook" />
      <MissingState icon={IconFishHook} title="Hook not found" list="/hooks">
        The address names no hook.
      </MissingState>
    </>
  );
}

function UsedHookInsights({ hook, used }: { readonly hook: string; readonly used: UsedHook }) {
  const { range } = useSearch({ from: "/hook" });
  const navigate = useNavigate({ from: "/hook" });
  const { data } = useQuery(queries.hooksInUse({ hook }, ""));
  const inUse = data?.[0];
  return (
    <>
      <PageHeader
        title={visibleText(hookLabel(hook))}
        beside={
          <Badge variant="outline" color="gray" radius="sm" tt="none">
            {used.source}
          </Badge>
        }
      />
      <Text size="sm" mb="md" component="div">
        <Origin used={used} inUse={inUse} />
      </Text>
      <HookInsights
        hook={hook}
        definition={inUse?.definition ?? null}
        enforcing={
          used.source === "inline" ? (
            <EnforceInlineHook hook={used} />
          ) : used.source === "runner" ? (
            <EnforceCommand name={used.name} />
          ) : null
        }
        range={readRange(range ?? "week")}
        onRange={(chosen) =>
          void navigate({ search: (before) => ({ ...before, range: chosen }), replace: true })
        }
      />
    </>
  );
}

interface OriginProps {
  readonly used: UsedHook;
  readonly inUse: HookInUse | undefined;
}

/** Where the hook is defined, and for whom it is called. */
function Origin({ used, inUse }: OriginProps) {
  switch (used.source) {
    case "named":
      return (
        <AnchorLink to="/hooks/$name" params={{ name: used.name }} inherit underline="always">
          Definition of {used.name}
        </AnchorLink>
      );
    case "inline":
      return (
        <>
          {inUse?.definition === null ? "It was defined" : "Defined"} in the agent{" "}
          <AnchorLink
            to="/agents/$name"
            params={{ name: used.agent }}
            search={{ tab: "hooks" }}
            inherit
            underline="always"
          >
            {used.agent}
          </AnchorLink>
          .
        </>
      );
    case "runner":
      return (
        <>
          A hook on a runner: a HOOK.md, or code.{" "}
          {inUse !== undefined && inUse.agents.length > 0 && (
            <>
              Called at {inUse.events.join(", ")} for <UsedBy agents={inUse.agents} />.
            </>
          )}
        </>
      );
  }
}
