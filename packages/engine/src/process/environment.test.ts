import { expect, test } from "vitest";
import { threadTimeMs } from "../match/thread-time.ts";
import { environmentWithoutSecrets, hasCredentials } from "./environment.ts";

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
  "MYSQL_PWD",
  "GITHUB_PAT",
  "SMTP_PASS",
  "SSHPASS",
  "REDIS_URL",
  "MONGODB_URI",
  "POSTGRES_URL",
])("%s is left out, unless it is allowed", (name) => {
  expect(environmentWithoutSecrets([], { [name]: "x" })).toEqual({});
  expect(environmentWithoutSecrets([name], { [name]: "x" })).toEqual({ [name]: "x" });
});

test.each(["PATH", "HOME", "LANG", "KEYBOARD", "CI", "NODE_OPTIONS", "PWD", "OLDPWD", "COMPASS", "BASE_URL"])(
  "%s is passed on",
  (name) => {
    expect(environmentWithoutSecrets([], { [name]: "x" })).toEqual({ [name]: "x" });
  },
);

test.each([
  "https://user:secret@example.com/path",
  "postgres://:secret@host/db",
  "a list: http://plain.example https://user:p%40ss@host:8080",
  "jdbc:postgresql://host/db?user=a&password=b",
  "https://example.com/?access_token=x",
])("%s has credentials", (value) => {
  expect(hasCredentials(value)).toBe(true);
  expect(environmentWithoutSecrets([], { SERVICE: value })).toEqual({});
  expect(environmentWithoutSecrets(["SERVICE"], { SERVICE: value })).toEqual({ SERVICE: value });
});

test.each([
  "http://proxy:8080",
  "https://user@example.com",
  "git@github.com:owner/name.git",
  "ssh://git@host:22/x",
  "a:b@c",
  "https://example.com/@scope:x@1",
])("%s has no credentials", (value) => {
  expect(hasCredentials(value)).toBe(false);
});

test("a long value is examined in linear time", () => {
  const examine = (length: number) => {
    const begun = threadTimeMs();
    for (const part of ["a", "a://", "://:", ":a", "?", "://a:"])
      hasCredentials(`http://${part.repeat(length)}://`);
    return threadTimeMs() - begun;
  };
  examine(1_000);
  // It would take minutes if the time grew with the square of the length.
  expect(examine(200_000)).toBeLessThan(10_000);
});
