/** What the API says about itself: an index, the API document, and a reader for it that works offline. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Type } from 'typebox'
import { ApiError } from '../http/errors.ts'
import { type Route, reply, route } from '../http/route.ts'
import { openApi } from './document.ts'

const require = createRequire(import.meta.url)
const UI = dirname(require.resolve('swagger-ui-dist/package.json'))

/** References are relative: the API may be served under a prefix. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Harrier API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
<div id="ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

// A file of its own: the content security policy allows no script inside of a page.
const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#ui', deepLinking: true, validatorUrl: null })\n`

const FILES: Record<string, { media: string; load: () => Promise<Buffer | string> }> = {
  'swagger-ui.css': { media: 'text/css', load: () => readFile(join(UI, 'swagger-ui.css')) },
  'swagger-ui-bundle.js': { media: 'text/javascript', load: () => readFile(join(UI, 'swagger-ui-bundle.js')) },
  'favicon-32x32.png': { media: 'image/png', load: () => readFile(join(UI, 'favicon-32x32.png')) },
  'start.js': { media: 'text/javascript', load: async () => START },
}

/** Equal for all clients until the next release: clients revalidate it at each use. */
const OF_A_RELEASE = { 'cache-control': 'no-cache' }

/** The document covers `routes` and the routes made here. It is written for its first reader: it takes 65 ms. */
export function documentRoutes(routes: readonly Route[], version: string): Route[] {
  let document: string | undefined
  const text = (): string => (document ??= JSON.stringify(openApi([...routes, ...own], version)))
  const own: Route[] = [
    route({
      method: 'get',
      path: '/',
      id: 'getIndex',
      summary: 'Index of the API and its documents.',
      examples: { words: { name: 'Harrier' } },
      tag: 'Documents',
      access: 'open',
      scope: null,
      responses: {
        200: Type.Object({ name: Type.String(), version: Type.String(), documents: Type.Array(Type.String()) }),
      },
      handler: () => reply(200, { name: 'Harrier', version, documents: ['/docs', '/openapi.json'] }),
    }),
    route({
      method: 'get',
      path: '/openapi.json',
      id: 'getApiDocument',
      summary: 'This OpenAPI document.',
      tag: 'Documents',
      access: 'open',
      scope: null,
      responses: { 200: { media: 'application/json', description: 'OpenAPI 3.1' } },
      handler: () => reply(200, text()),
    }),
    route({
      method: 'get',
      path: '/docs',
      id: 'getDocumentsPage',
      summary: 'An HTML page that shows this document.',
      tag: 'Documents',
      access: 'open',
      scope: null,
      responses: { 200: { media: 'text/html', description: 'The HTML page' } },
      handler: () => reply(200, PAGE),
    }),
    route({
      method: 'get',
      path: '/docs/{file}',
      id: 'getDocumentsFile',
      summary: 'Files of the HTML page.',
      codes: ['not_found'],
      examples: { words: { file: 'swagger-ui.css' } },
      tag: 'Documents',
      access: 'open',
      scope: null,
      params: Type.Object({ file: Type.String() }),
      responses: { 200: { media: 'application/octet-stream', description: 'The file' } },
      handler: async ({ params }) => {
        const file = Object.hasOwn(FILES, params.file) ? FILES[params.file] : undefined
        if (file === undefined) throw new ApiError('not_found')
        return reply(200, await file.load(), { 'content-type': file.media, ...OF_A_RELEASE })
      },
    }),
  ]
  return own
}
