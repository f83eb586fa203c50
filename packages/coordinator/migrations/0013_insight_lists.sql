CREATE TABLE "removed_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"agent" text NOT NULL,
	"created" bigint DEFAULT 0 NOT NULL,
	"started" bigint DEFAULT 0 NOT NULL,
	"completed" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"stopped" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "removed_rollups_step_since_agent_pk" PRIMARY KEY("step","since","agent")
);
--> statement-breakpoint
ALTER TABLE "runners" ADD COLUMN "left_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "run_hooks" ADD COLUMN "would_have" text;--> statement-breakpoint
-- What hooks that are not enforced would have done so far, as their rows have it.
UPDATE "run_hooks" SET "would_have" = CASE
	WHEN "output"->>'action' = 'block' THEN 'would_block'
	WHEN "output"->>'action' = 'ask' THEN 'would_ask'
	WHEN NOT "output" ? 'action' AND EXISTS (
		SELECT FROM jsonb_each(CASE jsonb_typeof("output") WHEN 'object' THEN "output" ELSE '{}' END) AS change
		WHERE change.value IS DISTINCT FROM "input"->change.key) THEN 'would_change'
END
WHERE "state" = 'done' AND "definition"->>'enforce' = 'false';--> statement-breakpoint
CREATE INDEX "run_hooks_named_would_have" ON "run_hooks" USING btree ("name","would_have","run_created_at","run_id") WHERE would_have is not null and name is not null;--> statement-breakpoint
CREATE INDEX "run_hooks_inline_would_have" ON "run_hooks" USING btree ("agent_name","hook_type","would_have","run_created_at","run_id") WHERE would_have is not null and name is null;--> statement-breakpoint
-- Runs that were counted and are not stored any more.
INSERT INTO "removed_rollups" ("step", "since", "agent", "created", "started", "completed", "failed", "stopped")
SELECT "step", "since", "agent", greatest(0, counted."created" - coalesce(stored."created", 0)), greatest(0, counted."started" - coalesce(stored."started", 0)),
	greatest(0, counted."completed" - coalesce(stored."completed", 0)), greatest(0, counted."failed" - coalesce(stored."failed", 0)),
	greatest(0, counted."stopped" - coalesce(stored."stopped", 0))
FROM "run_rollups" AS counted LEFT JOIN (
	SELECT slot.step, date_bin(slot.step * interval '1 minute', happened.at, timestamptz 'epoch') AS since, "runs"."agent_name" AS agent,
		count(*) FILTER (WHERE what = 'created') AS created, count(*) FILTER (WHERE what = 'started') AS started,
		count(*) FILTER (WHERE what = 'completed') AS completed, count(*) FILTER (WHERE what = 'failed') AS failed,
		count(*) FILTER (WHERE what = 'stopped') AS stopped
	FROM "runs", LATERAL (VALUES ('created', "created_at"), ('started', "started_at"), ("state", "finished_at")) AS happened (what, at),
		(VALUES (5), (15), (60), (1440)) AS slot (step)
	WHERE happened.at IS NOT NULL GROUP BY 1, 2, 3
) AS stored USING ("step", "since", "agent")
WHERE counted."created" > coalesce(stored."created", 0) OR counted."started" > coalesce(stored."started", 0)
	OR counted."completed" > coalesce(stored."completed", 0) OR counted."failed" > coalesce(stored."failed", 0)
	OR counted."stopped" > coalesce(stored."stopped", 0);
