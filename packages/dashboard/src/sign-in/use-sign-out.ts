import { useQueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { storedDrafts } from "../editing/stored-drafts.ts";

/** Signs out and returns to the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await call("POST /logout");
    storedDrafts.forgetAll();
    client.clear();
    location.assign("/");
  };
}
