import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { LiveProvider } from "../live/live-provider.tsx";
import { Gate } from "../sign-in/gate.tsx";
import { queryClient } from "./query-client.ts";
import { router } from "./router.tsx";
import { readableColors, theme } from "./theme.ts";

/**
 * The providers, from the outside in:
 *
 *     theme ─ query cache ─ signed-in user ─ live events ─ pages
 */
export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={readableColors} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <Gate>
          <LiveProvider>
            <RouterProvider router={router} />
          </LiveProvider>
        </Gate>
      </QueryClientProvider>
    </MantineProvider>
  );
}
