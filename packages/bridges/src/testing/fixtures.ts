import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../fixtures", import.meta.url));

/** A payload that a real client sent. */
export interface Fixture {
  /** Folder and file, for the name of a test. */
  readonly name: string;
  /** As `--client` names it. */
  readonly client: string;
  /** As `--event` names it. */
  readonly event: string;
  readonly stdin: Readonly<Record<string, unknown>>;
}

/** Every recorded payload, and those that were written after a described quirk. */
export function fixtures(): readonly Fixture[] {
  return readdirSync(ROOT)
    .sort()
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .sort()
        .map((file) => {
          const { native_event, stdin } = JSON.parse(readFileSync(join(ROOT, folder, file), "utf8")) as {
            readonly native_event: string;
            readonly stdin: Fixture["stdin"];
          };
          const client = folder.replace(/-(?:pascal|quirks)$/, "");
          return { name: `${folder}/${file.replace(/\.json$/, "")}`, client, event: native_event, stdin };
        }),
    );
}
