/** The page at `/` of a coordinator without a dashboard. */
export const PLAIN_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tenterhook</title>
<h1>Tenterhook</h1>
<p>The coordinator is running. This one was started without its dashboard.</p>
<p>Everything it can do is listed at <a href="/openapi.json">/openapi.json</a>. A program sends
<code>Authorization: Bearer …</code> with the token in the coordinator's data folder.</p>
</html>
`;
