ALTER TABLE "approvals" ADD COLUMN "not_by" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "requesters" jsonb DEFAULT '[]'::jsonb NOT NULL;