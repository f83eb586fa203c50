import type { Operation } from "./operation.ts";
import { runnerClaims } from "./routes/runner-claims.ts";
import { runnerQuestions } from "./routes/runner-questions.ts";
import { runnerRegistration } from "./routes/runner-registration.ts";
import { runnerReports } from "./routes/runner-reports.ts";
import { startRuns } from "./routes/start-runs.ts";
import type { Services } from "./services.ts";

/** Everything that can be asked of a coordinator. */
export function operations(services: Services): Operation[] {
  return [
    ...startRuns(services),
    ...runnerRegistration(services),
    ...runnerClaims(services),
    ...runnerReports(services),
    ...runnerQuestions(services),
  ];
}
