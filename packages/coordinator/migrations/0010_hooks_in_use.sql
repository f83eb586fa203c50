CREATE TABLE "named_hook_revisions" (
	"name" text NOT NULL,
	"revision" integer NOT NULL,
	"definition" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text,
	CONSTRAINT "named_hook_revisions_name_revision_pk" PRIMARY KEY("name","revision")
);
--> statement-breakpoint
CREATE TABLE "runner_hook_results" (
	"run_id" text COLLATE "C" NOT NULL,
	"hook" text COLLATE "C" NOT NULL,
	"event" text NOT NULL,
	"outcome" text NOT NULL,
	"agent_name" text NOT NULL,
	"run_created_at" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "runner_hook_results_run_id_hook_event_outcome_pk" PRIMARY KEY("run_id","hook","event","outcome")
);
--> statement-breakpoint
DROP INDEX "run_hooks_by_name";--> statement-breakpoint
ALTER TABLE "named_hooks" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "named_hooks" ALTER COLUMN "revision" DROP DEFAULT;--> statement-breakpoint
INSERT INTO "named_hook_revisions" ("name", "revision", "definition", "created_at", "created_by")
SELECT "name", "revision", "definition", "updated_at", "updated_by" FROM "named_hooks";--> statement-breakpoint
ALTER TABLE "run_hooks" ADD COLUMN "agent_name" text;--> statement-breakpoint
ALTER TABLE "run_hooks" ADD COLUMN "run_created_at" timestamp with time zone;--> statement-breakpoint
UPDATE "run_hooks" SET
	"agent_name" = coalesce((SELECT "runs"."agent_name" FROM "runs" WHERE "runs"."id" = "run_hooks"."run_id"), ''),
	"run_created_at" = coalesce((SELECT "runs"."created_at" FROM "runs" WHERE "runs"."id" = "run_hooks"."run_id"), "created_at");--> statement-breakpoint
ALTER TABLE "run_hooks" ALTER COLUMN "agent_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "run_hooks" ALTER COLUMN "run_created_at" SET NOT NULL;--> statement-breakpoint
-- What runners have reported so far, also of hooks in subagents: as `lifecycle/reported-hooks.ts` reads it.
INSERT INTO "runner_hook_results" ("run_id", "hook", "event", "outcome", "agent_name", "run_created_at", "count")
WITH RECURSIVE reported AS (
	SELECT "run_id", "type", "data" FROM "events" WHERE "type" IN ('hook_acted', 'subagent') AND "run_id" IS NOT NULL
	UNION ALL
	SELECT "run_id", "data"->'event'->>'event_type', "data"->'event' FROM reported
	WHERE "type" = 'subagent' AND jsonb_typeof("data"->'event') = 'object'
), acts AS (
	SELECT "run_id", left("data"->>'hook', 200) AS "hook", left("data"->>'event', 200) AS "event",
		CASE
			WHEN "data"->'failed' = 'true' THEN 'failed'
			WHEN "data"->>'action' IN ('refuse', 'hold', 'fail', 'record') THEN 'blocked'
			WHEN "data"->>'action' IN ('release', 'raise') THEN 'failed'
			WHEN "data"->>'action' = 'go_on' THEN 'changed'
			WHEN "data"->>'action' = 'skip' THEN 'skipped'
			WHEN "data"->>'action' = 'recover' THEN 'recovered'
			WHEN "data"->>'action' = 'stop' THEN 'stopped'
		END AS "outcome"
	FROM reported
	WHERE "type" = 'hook_acted' AND jsonb_typeof("data"->'hook') = 'string' AND jsonb_typeof("data"->'event') = 'string'
		-- The runner calls the run's own hook of tool calls under this name; its results are in run_hooks.
		AND "data"->>'hook' NOT IN ('', 'on_tool_call')
)
SELECT acts."run_id", acts."hook", acts."event", acts."outcome", "runs"."agent_name", "runs"."created_at", count(*)
FROM acts JOIN "runs" ON "runs"."id" = acts."run_id"
WHERE acts."outcome" IS NOT NULL
GROUP BY 1, 2, 3, 4, 5, 6;--> statement-breakpoint
CREATE INDEX "runner_hook_results_by_hook" ON "runner_hook_results" USING btree ("hook","outcome","run_created_at","run_id");--> statement-breakpoint
CREATE INDEX "run_hooks_named_results" ON "run_hooks" USING btree ("name","state","run_created_at","run_id") WHERE finished_at is not null and name is not null;--> statement-breakpoint
CREATE INDEX "run_hooks_inline_results" ON "run_hooks" USING btree ("agent_name","hook_type","state","run_created_at","run_id") WHERE finished_at is not null and name is null;
