ALTER TABLE "runners" ADD COLUMN "registered_with" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "runner_name" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "runner_tags" text[];