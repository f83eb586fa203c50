CREATE TABLE "agents" (
	"name" text PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"blueprint" jsonb NOT NULL,
	"etag" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"run_id" text COLLATE "C" NOT NULL,
	"hook_id" text COLLATE "C",
	"hook_type" text NOT NULL,
	"asked_by" text NOT NULL,
	"reason" text NOT NULL,
	"subject" jsonb NOT NULL,
	"state" text NOT NULL,
	"decision" jsonb,
	"decided_by" text,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "blueprints" (
	"name" text NOT NULL,
	"revision" integer NOT NULL,
	"blueprint" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blueprints_name_revision_pk" PRIMARY KEY("name","revision")
);
--> statement-breakpoint
CREATE TABLE "conversation_entries" (
	"id" bigserial NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"run_id" text COLLATE "C" NOT NULL,
	"attempt" integer NOT NULL,
	"number" integer NOT NULL,
	"entry" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversation_entries_run_id_attempt_number_pk" PRIMARY KEY("run_id","attempt","number")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigserial NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"run_id" text COLLATE "C",
	"session_id" text COLLATE "C",
	"number" integer,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_xid_id_pk" PRIMARY KEY("xid","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"key" text PRIMARY KEY NOT NULL,
	"request_hash" text NOT NULL,
	"run_id" text COLLATE "C" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "named_hooks" (
	"name" text PRIMARY KEY NOT NULL,
	"definition" jsonb NOT NULL,
	"etag" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_hooks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"run_id" text COLLATE "C" NOT NULL,
	"hook_type" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"definition" jsonb NOT NULL,
	"name" text,
	"mode" text NOT NULL,
	"state" text NOT NULL,
	"input" jsonb NOT NULL,
	"output" jsonb,
	"error" text,
	"child_run_id" text COLLATE "C",
	"attempt" integer DEFAULT 0 NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp with time zone,
	"available_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deadline_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "runners" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"concurrency" integer NOT NULL,
	"is_draining" boolean DEFAULT false NOT NULL,
	"info" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"registered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"gone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"number" bigserial NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"agent_name" text NOT NULL,
	"revision" integer NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"waiting_for" text,
	"execution_mode" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"original_parameters" jsonb,
	"result_text" text,
	"result_data" jsonb,
	"raw_result" jsonb,
	"error" text,
	"error_code" text,
	"block_reason" text,
	"hook_id" text COLLATE "C",
	"parent_run_id" text COLLATE "C",
	"depth" integer DEFAULT 0 NOT NULL,
	"hooks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"has_hooks" boolean DEFAULT false NOT NULL,
	"is_plain" boolean DEFAULT false NOT NULL,
	"needs_preparation" boolean DEFAULT false NOT NULL,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"timeout_seconds" integer,
	"max_attempts" integer DEFAULT 1 NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"runner_id" text COLLATE "C",
	"lease_token" uuid,
	"lease_until" timestamp with time zone,
	"available_at" timestamp with time zone DEFAULT now() NOT NULL,
	"stop_requested_at" timestamp with time zone,
	"stop_told_at" timestamp with time zone,
	"ends_as" text,
	"timed_out" boolean DEFAULT false NOT NULL,
	"reported_count" integer DEFAULT 0 NOT NULL,
	"deadline_at" timestamp with time zone,
	"event_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_name" text NOT NULL,
	"kind" text NOT NULL,
	"parent_session_id" text COLLATE "C",
	"active_run_id" text COLLATE "C",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text DEFAULT 'token' NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"made_with" text,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE INDEX "approvals_pending" ON "approvals" USING btree ("created_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "approvals_by_run" ON "approvals" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "approvals_by_time" ON "approvals" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "conversation_by_session" ON "conversation_entries" USING btree ("session_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_of_run" ON "events" USING btree ("run_id","number");--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_time" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "run_hooks_once" ON "run_hooks" USING btree ("run_id","hook_type","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "run_hooks_by_child" ON "run_hooks" USING btree ("child_run_id");--> statement-breakpoint
CREATE INDEX "run_hooks_due" ON "run_hooks" USING btree ("available_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "run_hooks_open" ON "run_hooks" USING btree ("deadline_at") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "run_hooks_leased" ON "run_hooks" USING btree ("lease_until") WHERE lease_until is not null;--> statement-breakpoint
CREATE INDEX "run_hooks_by_name" ON "run_hooks" USING btree ("name","created_at" DESC NULLS LAST) WHERE name is not null;--> statement-breakpoint
CREATE INDEX "runs_claimable" ON "runs" USING btree ("number") WHERE state in ('pending', 'ready') and kind <> 'hook';--> statement-breakpoint
CREATE INDEX "hook_runs_claimable" ON "runs" USING btree ("number") WHERE state in ('pending', 'ready') and kind = 'hook';--> statement-breakpoint
CREATE INDEX "runs_held" ON "runs" USING btree ("runner_id") WHERE lease_until is not null;--> statement-breakpoint
CREATE INDEX "runs_by_time" ON "runs" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "runs_ended_otherwise" ON "runs" USING btree ("state","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE state in ('failed', 'stopped');--> statement-breakpoint
CREATE INDEX "runs_by_agent" ON "runs" USING btree ("agent_name","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "runs_by_session" ON "runs" USING btree ("session_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "runs_with_hooks" ON "runs" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE has_hooks;--> statement-breakpoint
CREATE INDEX "runs_blocked" ON "runs" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE block_reason is not null;--> statement-breakpoint
CREATE INDEX "sessions_by_time" ON "sessions" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "sessions_by_parent" ON "sessions" USING btree ("parent_session_id") WHERE parent_session_id is not null;