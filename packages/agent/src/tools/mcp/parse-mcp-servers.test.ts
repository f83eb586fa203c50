// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how variables are written
import { expect, test } from "vitest";
import { parseMcpServers } from "./parse-mcp-servers.ts";

test("a program with everything it may have is taken as it is", () => {
  const files = {
    command: "npx",
    args: ["-y", "files"],
    env: { TOKEN: "${TOKEN}" },
    cwd: "/srv",
    timeoutMs: 500,
    tools: ["read"],
  };
  expect(parseMcpServers({ files })).toEqual({ files });
});

test("an address with everything it may have is taken as it is", () => {
  const search = { url: "https://example.com/mcp", headers: { Authorization: "Bearer ${TOKEN}" }, tools: [] };
  expect(parseMcpServers({ search })).toEqual({ search });
});

test.each<[string, unknown, string]>([
  ["a list of servers", [], "The MCP servers must be an object of servers by name, not a list."],
  ["no servers", null, "The MCP servers must be an object of servers by name, not null."],
  ["a text for a server", { a: "npx files" }, 'MCP server "a" must be an object, not a string.'],
  ["both ways", { a: { command: "x", url: "http://x" } }, 'MCP server "a" has both command and url.'],
  ["neither way", { a: { env: {} } }, 'MCP server "a" has neither command nor url.'],
  ["a mistyped field", { a: { comand: "x" } }, 'MCP server "a" has no field "comand". Did you mean command?'],
  ["an unknown field", { a: { command: "x", zzzzzz: 1 } }, 'has no field "zzzzzz". The fields are command,'],
  ["a field of the other kind", { a: { url: "http://x", env: {} } }, "has url, and env means nothing there."],
  ["an empty command", { a: { command: "" } }, 'MCP server "a": command must be a text that is not empty.'],
  ["args in one text", { a: { command: "x", args: "-y" } }, "args must be a list of texts."],
  ["a number in env", { a: { command: "x", env: { PORT: 1 } } }, "env must be an object of texts."],
  ["a time in words", { a: { command: "x", timeoutMs: "1s" } }, "timeoutMs must be a number of milliseconds"],
  ["no time at all", { a: { command: "x", timeoutMs: 0 } }, "timeoutMs must be a number of milliseconds"],
  ["another protocol", { a: { url: "ftp://x" } }, "url must be an address that begins with http://"],
  ["a password in the address", { a: { url: "http://me:pw@x" } }, "without a password"],
  ["a name without a letter", { "..": { command: "x" } }, 'The name of MCP server ".." must have a letter'],
  ["a name that is too long", { ["x".repeat(33)]: { command: "x" } }, "at most 32 characters"],
  [
    "two names that come to the same",
    { "my files": { command: "x" }, my__files: { command: "x" } },
    'The MCP servers "my files" and "my__files" would both be called "my_files".',
  ],
])("%s is refused, with the server and the field named", (_, value, message) => {
  expect(() => parseMcpServers(value)).toThrow(
    expect.objectContaining({ code: "bad_agent", message: expect.stringContaining(message) }),
  );
});
