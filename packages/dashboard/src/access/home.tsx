import { Navigate, Outlet, useLocation } from "@tanstack/react-router";
import { useMay } from "./identity.ts";

/** The first page of a user. */
export function useHome(): "/overview" | "/approvals" {
  return useMay("read") ? "/overview" : "/approvals";
}

/** Shows the page of the address. A reviewer, who reads approvals and their runs only, gets to the approvals from all others. */
export function PermittedPage() {
  const mayRead = useMay("read");
  const { pathname } = useLocation();
  const isPermitted = mayRead || pathname === "/approvals" || /^\/runs\/[^/]+$/.test(pathname);
  return isPermitted ? <Outlet /> : <Navigate to="/approvals" replace />;
}
