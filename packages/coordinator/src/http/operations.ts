import type { Operation } from "./operation.ts";
import { agents } from "./routes/agents.ts";
import { approvals } from "./routes/approvals.ts";
import { bulkRuns } from "./routes/bulk-runs.ts";
import { documentation } from "./routes/documentation.ts";
import { events } from "./routes/events.ts";
import { healthChecks } from "./routes/health.ts";
import { hookTrials } from "./routes/hook-trials.ts";
import { hooks } from "./routes/hooks.ts";
import { hooksInUse } from "./routes/hooks-in-use.ts";
import { insights } from "./routes/insights.ts";
import { login } from "./routes/login.ts";
import { prices } from "./routes/prices.ts";
import { revisions } from "./routes/revisions.ts";
import { runnerClaims } from "./routes/runner-claims.ts";
import { runnerConversations } from "./routes/runner-conversations.ts";
import { runnerQuestions } from "./routes/runner-questions.ts";
import { runnerRegistration } from "./routes/runner-registration.ts";
import { runnerReports } from "./routes/runner-reports.ts";
import { runners } from "./routes/runners.ts";
import { runs } from "./routes/runs.ts";
import { sessions } from "./routes/sessions.ts";
import { startRuns } from "./routes/start-runs.ts";
import { tokens } from "./routes/tokens.ts";
import { webhookKeys } from "./routes/webhook-key.ts";
import type { Services } from "./services.ts";

/** All operations of the coordinator's API. */
export function operations(services: Services): Operation[] {
  const all = [
    // For clients
    ...[...bulkRuns(services), ...startRuns(services), ...runs(services), ...sessions(services)],
    ...[...agents(services), ...revisions(services), ...hooks(services), ...hookTrials(services)],
    ...hooksInUse(services),
    ...runners(services),
    ...[...approvals(services), ...events(services), ...prices(services), ...insights(services)],
    // For runners
    ...[...runnerRegistration(services), ...runnerClaims(services)],
    ...[...runnerReports(services), ...runnerQuestions(services), ...runnerConversations(services)],
    // For operators
    ...[...login(services), ...tokens(services), ...webhookKeys(services), ...healthChecks(services)],
  ];
  return [...all, ...documentation(all)];
}
