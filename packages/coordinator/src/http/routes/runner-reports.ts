import { isRecord, shortened } from "@tenterhook/internal";
import {
  completedReport,
  eventsReport,
  eventsResponse,
  failedReport,
  MAX_REPORTED_EVENTS,
  reportedEvent,
  reportResponse,
  startedReport,
  stoppedReport,
} from "@tenterhook/protocol/runs";
import type { z } from "zod";
import type { Report } from "../../lifecycle/index.ts";
import { notFound } from "../../problem.ts";
import { lost } from "../../runners/leases.ts";
import { Slots } from "../../slots.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter } from "../parameters.ts";
import { parseInput, readInput } from "../parse-input.ts";
import type { Services } from "../services.ts";

/**
 * How many reports of events are stored at a time, by the kind of the database. One may be hundreds of lines that a program printed,
 * and heartbeats, which renew leases, wait only for those that are being stored.
 */
const EVENT_REPORTS_AT_ONCE = { embedded: 1, server: 4 } as const;

/** A runner reports what happened to a run. Reports may be repeated. */
export function runnerReports({ coordinator, leases }: Services): Operation[] {
  const { lifecycle, database } = coordinator;
  const eventReports = new Slots(EVENT_REPORTS_AT_ONCE[database.kind]);
  const shared = { permission: "execute", params: idParameter } as const;

  /** A report that may change the run's state. */
  function stateReport<B extends z.ZodType<{ readonly lease_token: string }>>(
    kind: string,
    summary: string,
    body: B,
    apply: (id: string, report: z.output<B>) => Promise<Report>,
  ): Operation {
    return operation(
      `POST /runner/runs/{id}/${kind}`,
      { ...shared, summary, body, responses: { 200: reportResponse } },
      async ({ params: { id }, body: report, identity }) => {
        await leases.check(identity, id, report.lease_token);
        return { status: 200, body: statusAfter(await apply(id, report), id) };
      },
    );
  }

  const started = stateReport("started", "Report that a run has started", startedReport, (id, report) =>
    lifecycle.reportStarted(id, report.lease_token),
  );

  const events = operation(
    "POST /runner/runs/{id}/events",
    {
      ...shared,
      summary: "Report events of a run",
      body: eventsReport,
      readBody: readEventsReport,
      responses: { 200: eventsResponse, 204: "nothing" },
    },
    async ({ params: { id }, body: { lease_token, first, events, refused }, identity }) => {
      await leases.check(identity, id, lease_token);
      const rows = events.map(({ event_type, data, ms_ago }) => ({ type: event_type, data, msAgo: ms_ago }));
      const isStored = await eventReports.run(() => lifecycle.reportEvents(id, lease_token, first, rows));
      if (!isStored) throw lost(id);
      return refused.length === 0 ? { status: 204 } : { status: 200, body: { refused } };
    },
  );

  const completed = stateReport(
    "completed",
    "Report a run's result",
    completedReport,
    (id, { lease_token, ...result }) => coordinator.completeRun(id, lease_token, result),
  );

  const failed = stateReport(
    "failed",
    "Report that a run has failed",
    failedReport,
    (id, { lease_token, error, error_code }) =>
      lifecycle.fail(id, lease_token, { error, errorCode: error_code }),
  );

  const stopped = stateReport(
    "stopped",
    "Report that a run was stopped",
    stoppedReport,
    (id, { lease_token, reason }) => lifecycle.reportStopped(id, lease_token, reason),
  );

  return [started, events, completed, failed, stopped];
}

type EventsReport = z.output<typeof eventsReport> & z.output<typeof eventsResponse>;

/**
 * Reads a report. One event that does not fit costs none of the others: in its place is stored that it is missing, so that the others
 * keep their numbers. A report of which nothing fits is refused.
 */
function readEventsReport(sent: unknown): EventsReport {
  const whole = readInput(eventsReport, sent);
  if (whole.problem === undefined) return { ...whole.data, refused: [] };
  if (!isRecord(sent) || !Array.isArray(sent.events) || sent.events.length > MAX_REPORTED_EVENTS)
    throw whole.problem;
  const refused: { index: number; detail: string }[] = [];
  const events = sent.events.map((event: unknown, index) => {
    const { problem } = readInput(reportedEvent, event);
    if (problem === undefined) return event;
    refused.push({ index, detail: problem.message });
    return missing(event, problem.message);
  });
  if (refused.length === events.length) throw whole.problem;
  return { ...parseInput(eventsReport, { ...sent, events }), refused };
}

function missing(event: unknown, detail: string): z.input<typeof reportedEvent> {
  const { event_type, ms_ago } = isRecord(event) ? event : {};
  const type = typeof event_type === "string" ? `${shortened(event_type, 63)}: ` : "";
  const { data = 0 } = reportedEvent.shape.ms_ago.safeParse(ms_ago);
  return { event_type: "events_dropped", data: { count: 1, reason: `${type}${detail}` }, ms_ago: data };
}

/** Error codes of runs that ended without their runner: its later report does not repeat an earlier one. */
const ENDED_WITHOUT_RUNNER = new Set(["runner_lost", "never_started", "timeout"]);

function statusAfter(report: Report, id: string): z.input<typeof reportResponse> {
  if (report.type === "unknown") throw notFound("run", id);
  if (report.type === "lost") throw lost(id);
  const { state, error_code } = report.run;
  if (report.type === "repeated" && ENDED_WITHOUT_RUNNER.has(error_code ?? "")) throw lost(id);
  return { status: state };
}
