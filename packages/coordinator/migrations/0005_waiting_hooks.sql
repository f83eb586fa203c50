DROP INDEX "run_hooks_due";--> statement-breakpoint
ALTER TABLE "run_hooks" ADD COLUMN "target" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "run_hooks" ADD COLUMN "due_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "run_hooks" ADD COLUMN "calls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "run_hooks" ADD COLUMN "waiting" jsonb;--> statement-breakpoint
-- Written by hand. Hooks that wait keep their order, and are limited by their URLs.
UPDATE "run_hooks" SET "target" = coalesce("definition"->>'url', ''), "due_at" = "created_at" WHERE "finished_at" IS NULL;--> statement-breakpoint
CREATE INDEX "run_hooks_due" ON "run_hooks" USING btree ("mode","target","due_at") WHERE state = 'pending';