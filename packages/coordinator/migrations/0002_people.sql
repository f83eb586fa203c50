ALTER TABLE "agents" ADD COLUMN "updated_by" text;--> statement-breakpoint
ALTER TABLE "blueprints" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "named_hooks" ADD COLUMN "updated_by" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "stopped_by" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "retry_of" text COLLATE "C";--> statement-breakpoint
-- Written by hand. Sessions and links were named after the way in; now they have the names of the tokens that they come from.
WITH RECURSIVE named ("id", "name") AS (
  SELECT "id", "name" FROM "tokens" WHERE "kind" = 'token'
  UNION ALL
  SELECT made."id", named."name" FROM "tokens" AS made JOIN named ON made."made_with" = named."id" WHERE made."kind" <> 'token'
)
UPDATE "tokens" SET "name" = named."name" FROM named WHERE named."id" = "tokens"."id" AND "tokens"."kind" <> 'token';--> statement-breakpoint
-- Written by hand. A decision that names a way in names no person, unless it was with a token. What has expired was not decided.
UPDATE "approvals" SET "decided_by" = CASE WHEN "state" <> 'expired' AND "decided_by" LIKE 'the page, with %' THEN substr("decided_by", 16) END
WHERE "state" = 'expired' OR "decided_by" = 'sign-in link' OR "decided_by" LIKE 'the page, with %';
