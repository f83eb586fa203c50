import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { lazyPage } from "./lazy-page.tsx";
import { NotFound } from "./not-found.tsx";
import { RouteError } from "./route-error.tsx";
import { formatSearch, parseSearch } from "./search.ts";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const page = { getParentRoute: () => root } as const;

/** Search parameters are strings; every page reads its own. */
export type Search = Readonly<Record<string, string | undefined>>;
const validateSearch = (search: Record<string, unknown>) => search as Search;

const home = createRoute({
  ...page,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/runs" });
  },
});

/** The gate shows the sign-in page at every address; a user who gets here is signed in. */
const login = createRoute({
  ...page,
  path: "/login",
  beforeLoad: () => {
    throw redirect({ to: "/runs" });
  },
});

// Every page is loaded when it is first opened, or ahead by the shell.
const routes = [
  home,
  login,
  createRoute({
    ...page,
    path: "/runs",
    validateSearch,
    component: lazyPage(() => import("../runs/runs-page.tsx"), "RunsPage"),
  }),
  createRoute({
    ...page,
    path: "/runs/$id",
    validateSearch,
    component: lazyPage(() => import("../run/run-page.tsx"), "RunPage"),
  }),
  createRoute({
    ...page,
    path: "/sessions",
    validateSearch,
    component: lazyPage(() => import("../sessions/sessions-page.tsx"), "SessionsPage"),
  }),
  createRoute({
    ...page,
    path: "/sessions/$id",
    component: lazyPage(() => import("../sessions/session-page.tsx"), "SessionPage"),
  }),
  createRoute({
    ...page,
    path: "/agents",
    validateSearch,
    component: lazyPage(() => import("../agents/agents-page.tsx"), "AgentsPage"),
  }),
  createRoute({
    ...page,
    path: "/agents/$name",
    validateSearch,
    component: lazyPage(() => import("../agents/agent-page.tsx"), "AgentPage"),
  }),
  createRoute({
    ...page,
    path: "/new-agent",
    validateSearch,
    component: lazyPage(() => import("../agents/new-agent-page.tsx"), "NewAgentPage"),
  }),
  createRoute({
    ...page,
    path: "/hooks",
    validateSearch,
    component: lazyPage(() => import("../hooks/hooks-page.tsx"), "HooksPage"),
  }),
  createRoute({
    ...page,
    path: "/hooks/$name",
    component: lazyPage(() => import("../hooks/hook-page.tsx"), "HookPage"),
  }),
  createRoute({
    ...page,
    path: "/new-hook",
    component: lazyPage(() => import("../hooks/new-hook-page.tsx"), "NewHookPage"),
  }),
  createRoute({
    ...page,
    path: "/runners",
    validateSearch,
    component: lazyPage(() => import("../runners/runners-page.tsx"), "RunnersPage"),
  }),
  createRoute({
    ...page,
    path: "/live",
    validateSearch,
    component: lazyPage(() => import("../events/events-page.tsx"), "EventsPage"),
  }),
  createRoute({
    ...page,
    path: "/approvals",
    validateSearch,
    component: lazyPage(() => import("../approvals/approvals-page.tsx"), "ApprovalsPage"),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  parseSearch,
  stringifySearch: formatSearch,
  defaultPreload: "intent",
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
}
