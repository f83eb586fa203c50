DROP INDEX "approvals_pending";--> statement-breakpoint
DROP INDEX "approvals_by_time";--> statement-breakpoint
DROP INDEX "run_hooks_due";--> statement-breakpoint
DROP INDEX "run_hooks_by_name";--> statement-breakpoint
DROP INDEX "runs_claimable";--> statement-breakpoint
DROP INDEX "hook_runs_claimable";--> statement-breakpoint
DROP INDEX "runs_by_time";--> statement-breakpoint
DROP INDEX "runs_ended_otherwise";--> statement-breakpoint
DROP INDEX "runs_by_agent";--> statement-breakpoint
DROP INDEX "runs_by_session";--> statement-breakpoint
DROP INDEX "runs_with_hooks";--> statement-breakpoint
DROP INDEX "runs_blocked";--> statement-breakpoint
DROP INDEX "sessions_by_time";--> statement-breakpoint
DROP INDEX "sessions_by_parent";--> statement-breakpoint
ALTER TABLE "runners" ADD COLUMN "registered_with" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "stop_reason" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "unstarted_claims" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "events_since" "xid8";--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "runner_name" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "runner_tags" text[];--> statement-breakpoint
CREATE INDEX "approvals_by_state" ON "approvals" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "events_of_session" ON "events" USING btree ("session_id","xid","id",coalesce(run_id, ''));--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_run" ON "idempotency_keys" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "callbacks_claimable" ON "runs" USING btree ("session_id","tags","number") WHERE state in ('pending', 'ready') and kind = 'callback';--> statement-breakpoint
CREATE INDEX "runs_of_other_kinds" ON "runs" USING btree ("kind","created_at") WHERE kind <> 'client';--> statement-breakpoint
CREATE INDEX "sessions_by_agent" ON "sessions" USING btree ("agent_name","created_at");--> statement-breakpoint
CREATE INDEX "sessions_of_hooks" ON "sessions" USING btree ("created_at") WHERE kind = 'hook';--> statement-breakpoint
CREATE INDEX "approvals_by_time" ON "approvals" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "run_hooks_due" ON "run_hooks" USING btree ("created_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "run_hooks_by_name" ON "run_hooks" USING btree ("name","created_at") WHERE name is not null;--> statement-breakpoint
CREATE INDEX "runs_claimable" ON "runs" USING btree ("tags","number") WHERE state in ('pending', 'ready') and kind in ('client', 'chained');--> statement-breakpoint
CREATE INDEX "hook_runs_claimable" ON "runs" USING btree ("tags","number") WHERE state in ('pending', 'ready') and kind = 'hook';--> statement-breakpoint
CREATE INDEX "runs_by_time" ON "runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "runs_ended_otherwise" ON "runs" USING btree ("state","created_at") WHERE state in ('failed', 'stopped');--> statement-breakpoint
CREATE INDEX "runs_by_agent" ON "runs" USING btree ("agent_name","created_at");--> statement-breakpoint
CREATE INDEX "runs_by_session" ON "runs" USING btree ("session_id","created_at");--> statement-breakpoint
CREATE INDEX "runs_with_hooks" ON "runs" USING btree ("created_at") WHERE has_hooks;--> statement-breakpoint
CREATE INDEX "runs_blocked" ON "runs" USING btree ("created_at") WHERE block_reason is not null;--> statement-breakpoint
CREATE INDEX "sessions_by_time" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sessions_by_parent" ON "sessions" USING btree ("parent_session_id","created_at") WHERE parent_session_id is not null;--> statement-breakpoint
ALTER TABLE "run_hooks" DROP COLUMN "available_at";--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "available_at";