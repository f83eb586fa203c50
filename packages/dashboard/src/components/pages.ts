/** The pages of the navigation, in its order. */
export const PAGES = [
  { to: "/overview", label: "Overview" },
  { to: "/runs", label: "Runs" },
  { to: "/approvals", label: "Approvals" },
  { to: "/sessions", label: "Sessions" },
  { to: "/agents", label: "Agents" },
  { to: "/hooks", label: "Hooks" },
  { to: "/runners", label: "Runners" },
  { to: "/live", label: "Live" },
  { to: "/people", label: "People" },
] as const;

/** Pages of one thing, which is in their address. */
export const DETAIL_PAGES = [{ to: "/hook", from: "/hooks" }] as const;

/** Pages that are reached from one of the others. */
export const MORE_PAGES = [
  { to: "/new-agent", label: "New agent", from: "/agents" },
  { to: "/new-hook", label: "New hook", from: "/hooks" },
] as const;
