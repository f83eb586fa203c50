import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Gate } from "../access/gate.tsx";
import { LiveProvider } from "../live/live-provider.tsx";
import { queryClient } from "./query-client.ts";
import { router } from "./router.tsx";
import { readableColors, theme } from "./theme.ts";

/**
 * The page, from the outside in:
 *
 *     look ─ what was read ─ who is there ─ what happens ─ the pages
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
