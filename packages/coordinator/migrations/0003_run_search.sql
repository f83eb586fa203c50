CREATE TABLE "run_texts" (
	"run_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL,
	"event_count" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "run_texts_by_word" ON "run_texts" USING gin ("words") WITH (gin_pending_list_limit=256);