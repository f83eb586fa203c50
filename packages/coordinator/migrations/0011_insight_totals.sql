CREATE TABLE "agent_decision_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"agent" text NOT NULL,
	"outcome" text NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "agent_decision_rollups_step_since_agent_outcome_pk" PRIMARY KEY("step","since","agent","outcome")
);
--> statement-breakpoint
CREATE TABLE "hook_total_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"hook" text NOT NULL,
	"kind" text NOT NULL,
	"event" text NOT NULL,
	"outcome" text NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	"duration_ms" double precision DEFAULT 0 NOT NULL,
	"durations" bigint[] DEFAULT '{}'::bigint[] NOT NULL,
	CONSTRAINT "hook_total_rollups_step_since_hook_kind_event_outcome_pk" PRIMARY KEY("step","since","hook","kind","event","outcome")
);
--> statement-breakpoint
CREATE TABLE "tool_decision_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"tool" text NOT NULL,
	"outcome" text NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "tool_decision_rollups_step_since_tool_outcome_pk" PRIMARY KEY("step","since","tool","outcome")
);
--> statement-breakpoint
ALTER TABLE "total_rollups" ADD COLUMN "waits" bigint[] DEFAULT '{}'::bigint[] NOT NULL;--> statement-breakpoint
ALTER TABLE "total_rollups" ADD COLUMN "durations" bigint[] DEFAULT '{}'::bigint[] NOT NULL;--> statement-breakpoint
ALTER TABLE "total_rollups" ADD COLUMN "hook_ms" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "total_rollups" ADD COLUMN "hook_durations" bigint[] DEFAULT '{}'::bigint[] NOT NULL;--> statement-breakpoint
CREATE INDEX "hook_rollups_by_agent" ON "hook_rollups" USING btree ("step","agent","since");--> statement-breakpoint
-- Adds up counts by bucket; only for this migration.
CREATE FUNCTION "add_buckets"(bigint[], bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
	SELECT ARRAY(
		SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest($1, $2) WITH ORDINALITY AS pair (a, b, place) ORDER BY place)
$$;--> statement-breakpoint
CREATE AGGREGATE "sum_of_buckets"(bigint[]) (SFUNC = "add_buckets", STYPE = bigint[], INITCOND = '{}');--> statement-breakpoint
-- What the new tables and columns would have, had they existed when the events were counted.
INSERT INTO "hook_total_rollups" ("step", "since", "hook", "kind", "event", "outcome", "count", "duration_ms", "durations")
SELECT "step", "since", "hook", "kind", "event", "outcome", sum("count"), sum("duration_ms"), "sum_of_buckets"("durations")
FROM "hook_rollups" GROUP BY "step", "since", "hook", "kind", "event", "outcome";--> statement-breakpoint
INSERT INTO "agent_decision_rollups" ("step", "since", "agent", "outcome", "count")
SELECT "step", "since", "agent", "outcome", sum("count") FROM "hook_rollups" GROUP BY "step", "since", "agent", "outcome";--> statement-breakpoint
INSERT INTO "tool_decision_rollups" ("step", "since", "tool", "outcome", "count")
SELECT "step", "since", "tool", "outcome", sum("count") FROM "hook_rollups" GROUP BY "step", "since", "tool", "outcome";--> statement-breakpoint
INSERT INTO "total_rollups" ("step", "since", "waits", "durations")
SELECT "step", "since", "sum_of_buckets"("waits"), "sum_of_buckets"("durations") FROM "run_rollups" GROUP BY "step", "since"
ON CONFLICT ("step", "since") DO UPDATE SET "waits" = excluded."waits", "durations" = excluded."durations";--> statement-breakpoint
INSERT INTO "total_rollups" ("step", "since", "hook_ms", "hook_durations")
SELECT "step", "since", sum("duration_ms"), "sum_of_buckets"("durations") FROM "hook_total_rollups" GROUP BY "step", "since"
ON CONFLICT ("step", "since") DO UPDATE SET "hook_ms" = excluded."hook_ms", "hook_durations" = excluded."hook_durations";--> statement-breakpoint
-- Slots of an hour, from those of its quarters.
INSERT INTO "total_rollups" ("step", "since", "created", "started", "completed", "failed", "stopped", "waits", "durations", "calls", "input_tokens", "output_tokens", "cost", "unpriced_calls", "busy_ms", "hook_ms", "hook_durations")
SELECT 60, date_bin('1 hour', "since", 'epoch'), sum("created"), sum("started"), sum("completed"), sum("failed"), sum("stopped"), "sum_of_buckets"("waits"), "sum_of_buckets"("durations"), sum("calls"), sum("input_tokens"), sum("output_tokens"), sum("cost"), sum("unpriced_calls"), sum("busy_ms"), sum("hook_ms"), "sum_of_buckets"("hook_durations")
FROM "total_rollups" WHERE "step" = 15 GROUP BY date_bin('1 hour', "since", 'epoch');--> statement-breakpoint
INSERT INTO "decision_rollups" ("step", "since", "outcome", "count")
SELECT 60, date_bin('1 hour', "since", 'epoch'), "outcome", sum("count")
FROM "decision_rollups" WHERE "step" = 15 GROUP BY date_bin('1 hour', "since", 'epoch'), "outcome";--> statement-breakpoint
INSERT INTO "agent_decision_rollups" ("step", "since", "agent", "outcome", "count")
SELECT 60, date_bin('1 hour', "since", 'epoch'), "agent", "outcome", sum("count")
FROM "agent_decision_rollups" WHERE "step" = 15 GROUP BY date_bin('1 hour', "since", 'epoch'), "agent", "outcome";--> statement-breakpoint
INSERT INTO "tool_decision_rollups" ("step", "since", "tool", "outcome", "count")
SELECT 60, date_bin('1 hour', "since", 'epoch'), "tool", "outcome", sum("count")
FROM "tool_decision_rollups" WHERE "step" = 15 GROUP BY date_bin('1 hour', "since", 'epoch'), "tool", "outcome";--> statement-breakpoint
INSERT INTO "hook_total_rollups" ("step", "since", "hook", "kind", "event", "outcome", "count", "duration_ms", "durations")
SELECT 60, date_bin('1 hour', "since", 'epoch'), "hook", "kind", "event", "outcome", sum("count"), sum("duration_ms"), "sum_of_buckets"("durations")
FROM "hook_total_rollups" WHERE "step" = 15 GROUP BY date_bin('1 hour', "since", 'epoch'), "hook", "kind", "event", "outcome";--> statement-breakpoint
INSERT INTO "run_rollups" ("step", "since", "agent", "created", "started", "completed", "failed", "stopped", "waits", "durations")
SELECT 60, date_bin('1 hour', "since", 'epoch'), "agent", sum("created"), sum("started"), sum("completed"), sum("failed"), sum("stopped"), "sum_of_buckets"("waits"), "sum_of_buckets"("durations")
FROM "run_rollups" WHERE "step" = 15 GROUP BY date_bin('1 hour', "since", 'epoch'), "agent";--> statement-breakpoint
INSERT INTO "model_rollups" ("step", "since", "agent", "model", "calls", "input_tokens", "output_tokens", "cost", "unpriced_calls")
SELECT 60, date_bin('1 hour', "since", 'epoch'), "agent", "model", sum("calls"), sum("input_tokens"), sum("output_tokens"), sum("cost"), sum("unpriced_calls")
FROM "model_rollups" WHERE "step" = 15 GROUP BY date_bin('1 hour', "since", 'epoch'), "agent", "model";--> statement-breakpoint
INSERT INTO "runner_rollups" ("step", "since", "runner", "busy_ms", "attempts")
SELECT 60, date_bin('1 hour', "since", 'epoch'), "runner", sum("busy_ms"), sum("attempts")
FROM "runner_rollups" WHERE "step" = 15 GROUP BY date_bin('1 hour', "since", 'epoch'), "runner";--> statement-breakpoint
DROP AGGREGATE "sum_of_buckets"(bigint[]);--> statement-breakpoint
DROP FUNCTION "add_buckets"(bigint[], bigint[]);
