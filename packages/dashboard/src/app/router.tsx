import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { NotFound } from "./not-found.tsx";
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

// Every page is loaded when it is first opened.
const routes = [
  home,
  login,
  createRoute({
    ...page,
    path: "/runs",
    validateSearch,
    component: lazyRouteComponent(() => import("../runs/runs-page.tsx"), "RunsPage"),
  }),
  createRoute({
    ...page,
    path: "/runs/$id",
    validateSearch,
    component: lazyRouteComponent(() => import("../run/run-page.tsx"), "RunPage"),
  }),
  createRoute({
    ...page,
    path: "/sessions",
    validateSearch,
    component: lazyRouteComponent(() => import("../sessions/sessions-page.tsx"), "SessionsPage"),
  }),
  createRoute({
    ...page,
    path: "/sessions/$id",
    component: lazyRouteComponent(() => import("../sessions/session-page.tsx"), "SessionPage"),
  }),
  createRoute({
    ...page,
    path: "/agents",
    validateSearch,
    component: lazyRouteComponent(() => import("../agents/agents-page.tsx"), "AgentsPage"),
  }),
  createRoute({
    ...page,
    path: "/agents/$name",
    validateSearch,
    component: lazyRouteComponent(() => import("../agents/agent-page.tsx"), "AgentPage"),
  }),
  createRoute({
    ...page,
    path: "/new-agent",
    validateSearch,
    component: lazyRouteComponent(() => import("../agents/new-agent-page.tsx"), "NewAgentPage"),
  }),
  createRoute({
    ...page,
    path: "/hooks",
    component: lazyRouteComponent(() => import("../hooks/hooks-page.tsx"), "HooksPage"),
  }),
  createRoute({
    ...page,
    path: "/hooks/$name",
    component: lazyRouteComponent(() => import("../hooks/hook-page.tsx"), "HookPage"),
  }),
  createRoute({
    ...page,
    path: "/new-hook",
    component: lazyRouteComponent(() => import("../hooks/new-hook-page.tsx"), "NewHookPage"),
  }),
  createRoute({
    ...page,
    path: "/runners",
    component: lazyRouteComponent(() => import("../runners/runners-page.tsx"), "RunnersPage"),
  }),
  createRoute({
    ...page,
    path: "/live",
    validateSearch,
    component: lazyRouteComponent(() => import("../events/events-page.tsx"), "EventsPage"),
  }),
  createRoute({
    ...page,
    path: "/approvals",
    validateSearch,
    component: lazyRouteComponent(() => import("../approvals/approvals-page.tsx"), "ApprovalsPage"),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  parseSearch,
  stringifySearch: formatSearch,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
}
