// The web server in front of react-admin's list: node front.mjs SERVER_URL FOLDER
// Serves FOLDER from memory, compressed as Countinghouse compresses its own files; proxies everything else.
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const [serverUrl, folder] = process.argv.slice(2);
const server = new URL(serverUrl);
const agent = new Agent({ keepAlive: true });
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const files = new Map();
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const name = path.slice(folder.length).replaceAll('\\', '/');
  // Quality 11, which is node's own default.
  files.set(name, brotliCompressSync(readFileSync(path)));
}

function serveFile(name, answer) {
  const content = files.get(name);
  answer.writeHead(200, {
    'Content-Type': types[extname(name)] ?? 'application/octet-stream',
    'Content-Encoding': 'br',
    'Content-Length': content.length,
    'Cache-Control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
  });
  answer.end(content);
}

function passOn(asked, answer) {
  const { method, url, headers } = asked;
  const passed = request(
    { host: server.hostname, port: server.port, method, path: url, headers, agent },
    (received) => {
      answer.writeHead(received.statusCode ?? 502, received.rawHeaders);
      received.pipe(answer);
    },
  );
  passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  answer.on('close', () => answer.writableFinished || passed.destroy());
  asked.pipe(passed);
}

const front = createServer((asked, answer) => {
  const { pathname } = new URL(asked.url, serverUrl);
  const name = pathname === '/' ? '/index.html' : pathname;
  if (files.has(name)) serveFile(name, answer);
  else passOn(asked, answer);
});
front.keepAliveTimeout = 60_000;
front.listen(0, '127.0.0.1', () => console.log(front.address().port));

// Exit when the benchmark is gone: nobody reads its pages any more.
process.stdin.on('end', () => process.exit(0)).resume();
