import { useQueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";

/** The way out, to the way in. */
export function useLogOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await call("POST /logout");
    client.clear();
    location.assign("/");
  };
}
