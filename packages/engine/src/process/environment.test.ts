import { expect, test } from "vitest";
import { environmentWithoutSecrets } from "./environment.ts";

test.each([
  "GITHUB_TOKEN",
  "AWS_SECRET_ACCESS_KEY",
  "DB_PASSWORD",
  "OPENAI_API_KEY",
  "openai_apikey",
  "STRIPE_KEY",
  "SENTRY_DSN",
  "DATABASE_URL",
  "NPM_CONFIG__AUTH",
])("%s is left out, unless it is allowed", (name) => {
  expect(environmentWithoutSecrets([], { [name]: "x" })).toEqual({});
  expect(environmentWithoutSecrets([name], { [name]: "x" })).toEqual({ [name]: "x" });
});

test.each(["PATH", "HOME", "LANG", "KEYBOARD", "CI", "NODE_OPTIONS"])("%s is passed on", (name) => {
  expect(environmentWithoutSecrets([], { [name]: "x" })).toEqual({ [name]: "x" });
});
