import { IconMapOff } from "@tabler/icons-react";
import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { MissingState } from "../components/missing-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { lazyPage } from "./lazy-page.tsx";
import { restoreFocus } from "./restore-focus.ts";
import { RouteError } from "./route-error.tsx";
import { formatSearch, parseSearch } from "./search.ts";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const page = { getParentRoute: () => root } as const;

/** Search parameters are strings; every page reads its own. */
export type Search = Readonly<Record<string, string | undefined>>;
const validateSearch = (search: Record<string, unknown>) => search as Search;

const pageRoute = <const P extends string>(path: P, load: () => Promise<object>, name: string) =>
  createRoute({ ...page, path, validateSearch, component: lazyPage(load, name) });

const toOverview = <const P extends string>(path: P) =>
  createRoute({
    ...page,
    path,
    beforeLoad: () => {
      throw redirect({ to: "/overview" });
    },
  });

// Every page is loaded when it is first opened, or ahead by the shell.
const routes = [
  toOverview("/"),
  // The gate shows the sign-in page at every address; a user who gets here is signed in.
  toOverview("/login"),
  pageRoute("/overview", () => import("../overview/overview-page.tsx"), "OverviewPage"),
  pageRoute("/runs", () => import("../runs/runs-page.tsx"), "RunsPage"),
  pageRoute("/runs/$id", () => import("../run/run-page.tsx"), "RunPage"),
  pageRoute("/sessions", () => import("../sessions/sessions-page.tsx"), "SessionsPage"),
  pageRoute("/sessions/$id", () => import("../sessions/session-page.tsx"), "SessionPage"),
  pageRoute("/agents", () => import("../agents/agents-page.tsx"), "AgentsPage"),
  pageRoute("/agents/$name", () => import("../agents/agent-page.tsx"), "AgentPage"),
  pageRoute("/new-agent", () => import("../agents/new-agent-page.tsx"), "NewAgentPage"),
  pageRoute("/hooks", () => import("../hooks/hooks-page.tsx"), "HooksPage"),
  pageRoute("/hooks/$name", () => import("../hooks/hook-page.tsx"), "HookPage"),
  pageRoute("/hook", () => import("../hooks/used-hook-page.tsx"), "UsedHookPage"),
  pageRoute("/new-hook", () => import("../hooks/new-hook-page.tsx"), "NewHookPage"),
  pageRoute("/runners", () => import("../runners/runners-page.tsx"), "RunnersPage"),
  pageRoute("/live", () => import("../events/events-page.tsx"), "EventsPage"),
  pageRoute("/approvals", () => import("../approvals/approvals-page.tsx"), "ApprovalsPage"),
  pageRoute("/people", () => import("../people/people-page.tsx"), "PeoplePage"),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  parseSearch,
  stringifySearch: formatSearch,
  defaultPreload: "intent",
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});

restoreFocus(router);

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
}

function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <MissingState icon={IconMapOff} title="Page not found" list="/runs">
        The address may be mistyped, or from another version.
      </MissingState>
    </>
  );
}
