import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/**
 * A new empty folder, by its real path. A folder of a test is removed when that test has ended; one that is made in a describe block
 * or at the top of a file, when all tests there have. Not for `beforeAll`, which is too late to say so.
 */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-test-")));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  whenFinished(remove);
  return folder;
}

/** Does something when the test has ended that calls this; outside of a test, when all tests there have. The last one goes first. */
export function whenFinished(work: () => void): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(work);
  else onTestFinished(work);
}
