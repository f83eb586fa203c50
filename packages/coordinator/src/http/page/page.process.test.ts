import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../../testing/test-coordinator.ts";
import { Page } from "./page.ts";

const folder = temporaryFolder();
let bare: TestCoordinator;
let coordinator: TestCoordinator;
beforeAll(async () => {
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Dashboard</title>");
  await writeFile(join(folder, "assets", "index-BXk3f9Qz.js"), "let a = 1;\n".repeat(1_000));
  await writeFile(join(folder, "assets", "logo.svg"), "<svg/>");
  const url = await freshPostgres();
  bare = await TestCoordinator.open({ url });
  coordinator = await TestCoordinator.open({ url, page: folder });
});
afterAll(async () => {
  await bare.close();
  await coordinator.close();
});

const get = (path: string, headers: Record<string, string> = {}, from = coordinator) =>
  fetch(from.served.url + path, { headers });
const opened = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("without a page the address answers with a short text", async () => {
  const response = await get("/", opened, bare);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await response.text()).toContain("/openapi.json");
  expect((await get("/runs", opened, bare)).status).toBe(401);
});

test.each(["/", "/runs/run_1", "/agents", "/anything/else", "/login"])(
  "a browser that opens %s gets the page",
  async (path) => {
    const response = await get(path, opened);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Dashboard");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  },
);

test("a browser that opens a used or an unknown link is redirected to the page, which explains it", async () => {
  const link = (url: string, headers: Record<string, string>) => fetch(url, { headers, redirect: "manual" });
  const used = await coordinator.served.loginUrl();
  expect((await link(used, opened)).headers.get("location")).toBe("/");
  for (const [url, location, detail] of [
    [used, "/?link=used", "the link was used before, or is too old"],
    // Its last character was not copied.
    [used.slice(0, -1), "/?link=unknown", "the coordinator does not know this link"],
  ] as const) {
    const response = await link(url, opened);
    expect([response.status, response.headers.get("location")]).toEqual([303, location]);
    expect(response.headers.has("set-cookie")).toBe(false);
    const answer = await link(url, {});
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ detail })]);
  }
});

test("programs get the API at the same addresses", async () => {
  expect((await get("/runs")).status).toBe(401);
  expect((await get("/anything/else")).headers.get("content-type")).toBe("application/problem+json");
  expect((await get("/openapi.json", opened)).headers.get("content-type")).toBe("application/json");
});

test("files whose names change with their content are kept for ever, others are asked for again", async () => {
  const script = await get("/assets/index-BXk3f9Qz.js");
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(script.headers.get("cache-control")).toContain("immutable");
  const logo = await get("/assets/logo.svg");
  expect(logo.headers.get("cache-control")).toBe("no-cache");
  const again = await get("/assets/logo.svg", { "if-none-match": logo.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
  expect((await get("/assets/none.js")).status).toBe(404);
});

test("text is compressed for clients that accept it", async () => {
  const { request } = await import("node:http");
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const headers = { "accept-encoding": "gzip" };
    request(`${coordinator.served.url}/assets/index-BXk3f9Qz.js`, { headers }, async (response) => {
      expect(response.headers["content-encoding"]).toBe("gzip");
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(Buffer.concat(chunks));
    })
      .on("error", reject)
      .end();
  });
  expect(bytes.length).toBeLessThan(1_000);
  expect(gunzipSync(bytes).toString()).toMatch(/^let a = 1;/);
});

test.each(["/../page.ts", "/..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/index.html", "//etc/passwd"])(
  "%s leads out of no folder",
  async (path) => {
    const { request } = await import("node:http");
    const { port } = new URL(coordinator.served.url);
    const status = await new Promise((resolve, reject) => {
      request({ host: "127.0.0.1", port, path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(404);
  },
);

test("a folder without a page is an error at the start", async () => {
  await expect(Page.open(join(folder, "assets"))).rejects.toThrow("no index.html");
});
