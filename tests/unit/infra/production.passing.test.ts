import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apiRoutes } from '../../../api/app.ts'
import { MAX_BODY_BYTES } from '../../../api/http/bodies/body.ts'
import { CONSOLE_PAGES } from '../../../schemas/console-pages.ts'
import { apiConfig, apiPorts } from '../../builders/api/ports.ts'
import { byIngress, byNginx } from '../../builders/infra/passing.ts'
import { startProxy } from '../../builders/infra/proxy.ts'

const MiB = 1024 * 1024
/** With their credentials, or from inside. */
const INTERNAL = ['/metrics', '/readyz']
const routes = apiRoutes(apiPorts(), apiConfig)
const asked = (path: string): string => path.replace(/\{\w+\}/g, 'x')
const pages = [...Object.values(CONSOLE_PAGES).flat().map(asked), '/', '/assets/index-12345678.js']
const paths = [...new Set([...routes.map(({ path }) => asked(path)), ...pages])].filter(
  (path) => !INTERNAL.includes(path),
)

describe.each([
  ['nginx', byNginx],
  ['the Ingress', byIngress],
])('%s', (_, by) => {
  test('passes on every path of the API, of assistants, of TAXII and of the console, and keeps what is internal', () => {
    for (const path of ['/mcp', '/taxii2/', '/docs', '/openapi.json', '/livez']) expect(paths).toContain(path)
    expect(paths.length).toBeGreaterThan(150)
    expect(paths.filter((path) => !by(path).passed)).toEqual([])
    expect(INTERNAL.filter((path) => by(path).passed)).toEqual([])
  })

  test('passes the largest body of every route on, and what the API reads more of it to refuse it', () => {
    const largest = (route: (typeof routes)[number]): number =>
      Math.max(route.lineStream?.maxBytes ?? 0, route.lines?.maxBytes ?? 0, route.bodyBytes ?? 0, MAX_BODY_BYTES)
    const cut = routes.filter((route) => by(asked(route.path)).bodyMiB < largest(route) / MiB + 7)
    expect(cut.map(({ path }) => path).filter((path) => !INTERNAL.includes(path))).toEqual([])
  })

  test('keeps nothing of a body that is answered while it comes', () => {
    const streamed = routes.filter(({ lineStream }) => lineStream !== null)
    expect(streamed.length).toBeGreaterThan(0)
    for (const { path } of streamed) expect(by(path)).toMatchObject({ buffersRequest: false, buffersAnswer: false })
  })
})

const { NGINX } = process.env
test.skipIf(!NGINX).each([
  ['/api/ingest/v1/entities', 26],
  ['/api/search/v1/reputation', 17],
])('lines for %s go through nginx while they are sent, past %i MiB', async (path, mebibytes) => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-nginx-'))
  let received = 0
  // As the API behind a proxy: nginx passes nothing more of a body on once its answer has begun (docs/integrate/bulk.md).
  const server = createServer((req, res) => {
    req.on('data', (bytes: Buffer) => {
      received += bytes.length
    })
    req.on('end', () => res.end('done'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await startProxy(NGINX!, folder, [`127.0.0.1:${(server.address() as AddressInfo).port}`])
  try {
    const sent = request(proxy.url + path, { method: 'POST' })
    const answer = once(sent, 'response')
    sent.write('{"a":1}\n')
    await expect.poll(() => received, { interval: 5 }).toBe(8)
    for (let i = 0; i < mebibytes; i++) sent.write(Buffer.alloc(MiB, 10))
    sent.end()
    const [{ statusCode }] = await answer
    expect([statusCode, received]).toEqual([200, mebibytes * MiB + 8])
  } finally {
    await proxy.stop()
    server.close()
    rmSync(folder, { recursive: true })
  }
})
