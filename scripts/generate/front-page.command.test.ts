import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readVariant, renderFrontPage, whyNotPublishable } from "./front-page.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TEMPLATE = readFileSync(new URL("./README.template.md", import.meta.url), "utf8");

test("a part of the template is only in the README of its variant", () => {
  const template =
    "all\n<!-- clone -->\nnpm run demo\n<!-- published -->\nnpx tenterhook demo\n<!-- end -->\nend\n";
  expect(renderFrontPage(template, "clone")).toMatch(
    /^<!-- .* for a clone\. .* -->\n\nall\nnpm run demo\nend\n$/,
  );
  expect(renderFrontPage(template, "published")).toMatch(/-->\n\nall\nnpx tenterhook demo\nend\n$/);
});

test("a part of the template without an end is an error that names it", () => {
  expect(() => renderFrontPage("<!-- clone -->\nnpm run demo\n", "clone")).toThrow(
    "<!-- clone --> has no <!-- end -->",
  );
  expect(() => renderFrontPage("<!-- end -->\n", "clone")).toThrow("an <!-- end --> of nothing");
});

test("a README says which variant it is, and one that was not generated is none", () => {
  expect(readVariant(renderFrontPage(TEMPLATE, "clone"))).toBe("clone");
  expect(readVariant(renderFrontPage(TEMPLATE, "published"))).toBe("published");
  expect(readVariant("# Tenterhook\n")).toBeUndefined();
});

test("only the published variant may be published", () => {
  expect(whyNotPublishable(renderFrontPage(TEMPLATE, "published"))).toBeUndefined();
  expect(whyNotPublishable(renderFrontPage(TEMPLATE, "clone"))).toContain("npm run generate -- --published");
  expect(whyNotPublishable("# Tenterhook\n")).toContain("npm run generate -- --published");
});

test("the release check with --published fails at once while the README is for a clone", async () => {
  const readme = readFileSync(`${ROOT}README.md`, "utf8");
  // In the release itself there is nothing to refuse.
  if (readVariant(readme) === "published") return;
  const args = [`${ROOT}scripts/dist/release-check.js`, "--published"];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: `${whyNotPublishable(readme)}\n`,
  });
});

const CONTENTS = [
  /^Hooks for AI agents: [^.]*\.$/m, // one sentence
  /^\$ tenterhook install$/m,
  /^(?:npm run|npx tenterhook) demo$/m,
  /^- .*Claude Code.*\n- .*LangChain.*\n- .*Temporal.*\n\n/m,
  /^\*\*Guard your coding agent\.\*\*/m,
  /^\*\*Hooks in your own agent\.\*\*/m,
  /^\*\*Run a fleet\.\*\*/m,
  /^npm ci && npm start .*minute.*\nnpm ci && npm test .*minute/m,
  /^!\[.*\]\(docs\/screenshots\/.*\)$/m,
  /^## The map$/m,
];

test.each(["clone", "published"] as const)(
  "the README for %s has its contents in the decided order",
  (variant) => {
    const readme = renderFrontPage(TEMPLATE, variant);
    const positions = CONTENTS.map((content) => readme.search(content));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(readme.match(/!\[/g)).toHaveLength(1);
  },
);
