CREATE TABLE "decision_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "decision_rollups_step_since_outcome_pk" PRIMARY KEY("step","since","outcome")
);
--> statement-breakpoint
CREATE TABLE "hook_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"hook" text NOT NULL,
	"kind" text NOT NULL,
	"event" text NOT NULL,
	"agent" text NOT NULL,
	"tool" text NOT NULL,
	"outcome" text NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	"duration_ms" double precision DEFAULT 0 NOT NULL,
	"durations" bigint[] DEFAULT '{}'::bigint[] NOT NULL,
	CONSTRAINT "hook_rollups_step_since_hook_kind_event_agent_tool_outcome_pk" PRIMARY KEY("step","since","hook","kind","event","agent","tool","outcome")
);
--> statement-breakpoint
CREATE TABLE "model_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"agent" text NOT NULL,
	"model" text NOT NULL,
	"calls" bigint DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost" double precision DEFAULT 0 NOT NULL,
	"unpriced_calls" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "model_rollups_step_since_agent_model_pk" PRIMARY KEY("step","since","agent","model")
);
--> statement-breakpoint
CREATE TABLE "reason_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"hook" text NOT NULL,
	"kind" text NOT NULL,
	"event" text NOT NULL,
	"agent" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	"examples" text[] DEFAULT '{}'::text[] NOT NULL,
	CONSTRAINT "reason_rollups_step_since_hook_kind_event_agent_outcome_reason_pk" PRIMARY KEY("step","since","hook","kind","event","agent","outcome","reason")
);
--> statement-breakpoint
CREATE TABLE "run_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"agent" text NOT NULL,
	"created" bigint DEFAULT 0 NOT NULL,
	"started" bigint DEFAULT 0 NOT NULL,
	"completed" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"stopped" bigint DEFAULT 0 NOT NULL,
	"waits" bigint[] DEFAULT '{}'::bigint[] NOT NULL,
	"durations" bigint[] DEFAULT '{}'::bigint[] NOT NULL,
	CONSTRAINT "run_rollups_step_since_agent_pk" PRIMARY KEY("step","since","agent")
);
--> statement-breakpoint
CREATE TABLE "runner_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"runner" text NOT NULL,
	"busy_ms" bigint DEFAULT 0 NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "runner_rollups_step_since_runner_pk" PRIMARY KEY("step","since","runner")
);
--> statement-breakpoint
CREATE TABLE "total_rollups" (
	"step" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"created" bigint DEFAULT 0 NOT NULL,
	"started" bigint DEFAULT 0 NOT NULL,
	"completed" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"stopped" bigint DEFAULT 0 NOT NULL,
	"calls" bigint DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost" double precision DEFAULT 0 NOT NULL,
	"unpriced_calls" bigint DEFAULT 0 NOT NULL,
	"busy_ms" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "total_rollups_step_since_pk" PRIMARY KEY("step","since")
);
--> statement-breakpoint
CREATE INDEX "hook_rollups_by_hook" ON "hook_rollups" USING btree ("step","hook","since");