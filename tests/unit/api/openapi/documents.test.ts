import { extname } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { socketRoute } from '../../../../api/http/sockets/socket-route.ts'
import { openApi } from '../../../../api/openapi/documents.ts'
import { asAdmin, startApi } from '../../../builders/api/api.ts'
import { during } from '../../../builders/suite/during.ts'

const api = during(startApi)

/** What a strict OpenAPI linter has against a document. */
async function problemsOf(source: string, off: Record<string, 'off'> = {}): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The API has no address of its own to list.
      'no-empty-servers': 'off',
      'no-server-example.com': 'off',
      // The specification of TAXII wants them.
      'no-path-trailing-slash': 'off',
      // Health and documents have nothing that a 4XX could be about, and the success of a socket is a 101.
      'operation-4xx-response': 'off',
      'operation-2xx-response': 'off',
      ...off,
    },
  })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map((p) => `${p.ruleId} ${p.location[0]?.pointer}: ${p.message}`)
}

test('the API document passes the rules of a strict OpenAPI linter', async () => {
  expect(await problemsOf(await (await fetch(`${api.url}/openapi.json`)).text())).toEqual([])
})

test('a socket is documented as a GET that is answered with 101, and refused with 426 without a handshake', async () => {
  const live = socketRoute({
    path: '/live',
    id: 'test',
    summary: 'Changes over a WebSocket.',
    tag: 'Analytics',
    access: 'anyone',
    scope: null,
    query: Type.Object({ ticket: Type.String({ description: 'A ticket.' }) }),
    frames: 'Each text frame is one change.',
    open: () => () => undefined,
  })
  const document = openApi([live], '0.0.0')
  // Alone it needs few of the components that all routes share.
  expect(await problemsOf(JSON.stringify(document), { 'no-unused-components': 'off' })).toEqual([])
  expect(document.paths).toMatchObject({
    '/live': {
      get: {
        parameters: [{ name: 'ticket', in: 'query', required: true }],
        responses: {
          101: { description: 'Each text frame is one change.' },
          426: { $ref: '#/components/responses/upgrade_required' },
        },
      },
    },
  })
})

test('the documents page needs nothing from elsewhere and no script inside of it', async () => {
  const page = await fetch(`${api.url}/docs`)
  const html = await page.text()
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toContain('unsafe')
  expect(html).not.toMatch(/https?:\/\/|<script>|on\w+=/)
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)
  expect(files.length).toBeGreaterThanOrEqual(4)
  for (const file of files) {
    const { status, headers } = await fetch(`${api.url}/${file}`)
    expect([file, status, headers.get('content-type')?.split(';')[0]]).toEqual([file, 200, MEDIA[extname(file)]])
  }
})

/** Browsers refuse scripts and styles under any other name. */
const MEDIA: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript', '.png': 'image/png' }

test('metrics say which form of the text they are', async () => {
  const { headers } = await fetch(`${api.url}/metrics`, { headers: asAdmin })
  expect(headers.get('content-type')).toContain('version=')
})
