import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, onTestFinished, test } from "vitest";
import { environmentFor } from "./environment.ts";
import { surroundingsOf } from "./surroundings.ts";

const location = {
  hookDir: "/hooks/one",
  projectDir: "/project",
  sessionId: "s1",
  event: "before_tool",
  stateDir: "/state",
  home: "/home/ana",
};

const environment = (allowed: readonly string[] = [], changes: Partial<typeof location> = {}) =>
  environmentFor({ ...location, ...changes }, allowed, surroundingsOf(["/project"]));

function setVariable(name: string, value: string): void {
  const before = process.env[name];
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
  process.env[name] = value;
}

test("a hook gets the present value of a variable that has changed, and none that is gone", () => {
  setVariable("SHOP_REGION", "north");
  expect(environment().variables.SHOP_REGION).toBe("north");
  process.env.SHOP_REGION = "south";
  expect(environment().variables.SHOP_REGION).toBe("south");
  delete process.env.SHOP_REGION;
  expect(environment().variables).not.toHaveProperty("SHOP_REGION");
});

test("a variable whose new value has a password in it is left out from then on", () => {
  setVariable("SHOP_URL", "https://shop.example");
  expect(environment().variables.SHOP_URL).toBe("https://shop.example");
  process.env.SHOP_URL = "https://ana:secret@shop.example";
  expect(environment().variables).not.toHaveProperty("SHOP_URL");
  expect(environment().omitted).toContainEqual({ name: "SHOP_URL", why: "its value has a password in it" });
});

test("a file of certificates that appears later is named from then on", () => {
  const folder = temporaryFolder();
  const file = join(folder, "ca.pem");
  setVariable("SSL_CERT_FILE", file);
  expect(environment().variables).not.toHaveProperty("SSL_CERT_FILE");
  writeFileSync(file, "");
  expect(environment().variables.SSL_CERT_FILE).toBe(file);
});

test("hooks with other sessions, folders or allowed variables do not get each other's environment", () => {
  setVariable("SHOP_TOKEN", "t0ken");
  expect(environment().variables).not.toHaveProperty("SHOP_TOKEN");
  expect(environment(["SHOP_TOKEN"]).variables.SHOP_TOKEN).toBe("t0ken");
  expect(environment().variables).not.toHaveProperty("SHOP_TOKEN");
  expect(environment([], { sessionId: "s2" }).variables.TENTERHOOK_SESSION_ID).toBe("s2");
  expect(environment().variables.TENTERHOOK_SESSION_ID).toBe("s1");
  expect(environment([], { hookDir: "/hooks/two" }).variables.TENTERHOOK_HOOK_DIR).toBe("/hooks/two");
});

test("a hook may ask for a variable that is called like something that every object has", () => {
  expect(environment(["constructor", "toString"]).variables).not.toHaveProperty(
    "constructor",
    expect.anything(),
  );
  onTestFinished(() => void Reflect.deleteProperty(process.env, "constructor"));
  Reflect.set(process.env, "constructor", "own");
  expect(Object.entries(environment(["constructor", "toString"]).variables)).toContainEqual([
    "constructor",
    "own",
  ]);
});
