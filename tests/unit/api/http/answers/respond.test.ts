import { expect, test } from 'vitest'
import { asAdmin, startApi } from '../../../../builders/api/api.ts'
import { during } from '../../../../builders/suite/during.ts'

const api = during(startApi)

const report = (headers: Record<string, string>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ type: 'ip', attributes: { ip: '8.8.8.8' } }),
})

const answers: { name: string; path: string; request?: RequestInit; status: number; type: string | null }[] = [
  { name: 'an acknowledgement', path: '/api/ingest/v1/entity', request: report(asAdmin), status: 202, type: 'json' },
  { name: 'a refusal', path: '/api/ingest/v1/entity', request: report({}), status: 401, type: 'json' },
  { name: 'JSON to a query', path: '/livez', status: 200, type: 'json' },
  { name: 'a page', path: '/docs', status: 200, type: 'html' },
  { name: 'a text', path: '/metrics', request: { headers: asAdmin }, status: 200, type: 'plain' },
  { name: 'an unknown path', path: '/nowhere', status: 404, type: 'json' },
  { name: 'an unknown method', path: '/livez', request: { method: 'DELETE' }, status: 405, type: 'json' },
  { name: 'the list of methods', path: '/livez', request: { method: 'OPTIONS' }, status: 200, type: null },
  { name: 'the head alone', path: '/livez', request: { method: 'HEAD' }, status: 200, type: 'json' },
]
for (const { name, path, request, status, type } of answers) {
  test(`${name} is taken for what it says it is, and only a page carries the headers of a page`, async () => {
    const response = await fetch(api.url + path, request)
    const body = await response.text()
    expect(response.status).toBe(status)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('vary')).toMatch(/authorization, api-key, api-secret/)
    expect(response.headers.has('content-security-policy')).toBe(type === 'html')
    if (type === null) expect(body).toBe('')
    else expect(response.headers.get('content-type')).toContain(type)
    if (request?.method === 'HEAD') {
      expect(body).toBe('')
      expect(response.headers.get('content-length')).toBe(String('{"live":true}'.length))
    } else if (type === 'json') {
      expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })
}

test('a body that comes in pieces is read like one that came with its head', async () => {
  const text = String(report({}).body)
  const pieces = new ReadableStream({
    async start(controller) {
      for (const piece of [text.slice(0, 9), text.slice(9)]) {
        controller.enqueue(Buffer.from(piece))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      controller.close()
    },
  })
  const request = { ...report(asAdmin), body: pieces, duplex: 'half' } as RequestInit
  expect((await fetch(`${api.url}/api/ingest/v1/entity`, request)).status).toBe(202)
})
