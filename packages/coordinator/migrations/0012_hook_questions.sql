ALTER TABLE "run_hooks" ADD COLUMN "asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "run_hooks" SET "asked" = true WHERE "id" IN (SELECT "hook_id" FROM "approvals");--> statement-breakpoint
CREATE INDEX "run_hooks_named_questions" ON "run_hooks" USING btree ("name","run_created_at","run_id") WHERE asked and name is not null;--> statement-breakpoint
CREATE INDEX "run_hooks_inline_questions" ON "run_hooks" USING btree ("agent_name","hook_type","run_created_at","run_id") WHERE asked and name is null;