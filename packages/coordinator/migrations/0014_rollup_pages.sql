-- Rows of the current slots are added to again and again. With room in its page a new version needs no new entry in any index.
ALTER TABLE "total_rollups" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "decision_rollups" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "agent_decision_rollups" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "tool_decision_rollups" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "hook_total_rollups" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "run_rollups" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "hook_rollups" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "reason_rollups" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "model_rollups" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "runner_rollups" SET (fillfactor = 60);
