DROP INDEX "run_hooks_due";--> statement-breakpoint
ALTER TABLE "runners" ADD COLUMN "registered_with" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "stop_reason" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "runner_name" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "runner_tags" text[];--> statement-breakpoint
CREATE INDEX "run_hooks_due" ON "run_hooks" USING btree ("created_at") WHERE state = 'pending';