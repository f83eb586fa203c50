/** A change that is not released yet, as its author described it. */
export interface Change {
  readonly summary: string;
  readonly type: "major" | "minor" | "patch";
}

/** Where the newest release goes. */
const MARK = "<!-- releases: written by `npm run release:version` -->";

const TITLES = { major: "Incompatible", minor: "New", patch: "Fixed" } as const;

/** The changelog with a release on top: what breaks first, then what is new, then what works again. */
export function withRelease(changelog: string, version: string, changes: readonly Change[]): string {
  const [before, after] = changelog.split(MARK);
  if (before === undefined || after === undefined) throw new Error(`CHANGELOG.md lacks the line ${MARK}`);
  const sections = (["major", "minor", "patch"] as const).flatMap((type) => {
    const listed = changes.filter((change) => change.type === type);
    if (listed.length === 0) return [];
    return [`### ${TITLES[type]}\n\n${listed.map(({ summary }) => item(summary)).join("\n")}`];
  });
  return `${before}${MARK}\n\n## ${version}\n\n${sections.join("\n\n")}${after}`;
}

/** Further lines belong to the same item. */
function item(summary: string): string {
  return `- ${summary.trim().replaceAll(/\n(?=.)/g, "\n  ")}`;
}
