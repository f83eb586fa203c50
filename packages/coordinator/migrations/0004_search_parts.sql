CREATE TABLE "run_text_parts" (
	"number" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_text_parts_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"since" timestamp with time zone NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "run_text_parts_since_unique" UNIQUE("since")
);
--> statement-breakpoint
-- Written by hand. The index begins with one part, which grows until the next one begins.
INSERT INTO "run_text_parts" ("since") VALUES ('-infinity');--> statement-breakpoint
-- Written by hand. The words that were written so far are of no part: every run is read once more, the newest first.
TRUNCATE "run_texts";--> statement-breakpoint
DELETE FROM "settings" WHERE "name" = 'run_texts';--> statement-breakpoint
ALTER TABLE "run_texts" ADD COLUMN "created_at" timestamp with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "run_texts" ADD COLUMN "part" integer NOT NULL;