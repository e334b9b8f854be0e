// Bodies that are not JSON: by the interface 404, 405 and 522 carry pages.

export const notFoundPage =
  '<!doctype html>\n<html lang="en">\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The requested URL was not found on the server.</p>\n</html>\n';

export const methodNotAllowedPage =
  '<!doctype html>\n<html lang="en">\n<title>405 Method Not Allowed</title>\n<h1>Method Not Allowed</h1>\n<p>The method is not allowed for the requested URL.</p>\n</html>\n';

/** As a proxy in front of the service shows it when the origin servers do not answer. */
export const connectionTimedOutPage = `<!DOCTYPE html>
<html lang="en-US">
<head><title>svc | 522: Connection timed out</title><meta charset="UTF-8"><meta name="robots" content="noindex"></head>
<body>
<h1>Connection timed out <span>Error code 522</span></h1>
<p>You: Browser, Working. Proxy, Working. Host, Error.</p>
<h2>What happened?</h2>
<p>The initial connection between the proxy's network and the origin web server timed out. As a result, the page can not be displayed.</p>
<p>Ray ID: 0000000000000000</p>
</body>
</html>
`;
