import { extname } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asAdmin, type RunningApi, startApi } from '../../../builders/api/api.ts'

let api: RunningApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('the API document passes the rules of a strict OpenAPI linter', async () => {
  const source = await (await fetch(`${api.url}/openapi.json`)).text()
  const config = await createConfig({
    extends: ['recommended-strict'],
    // The API has no address of its own to list, and health and documents have nothing that a 4XX could be about.
    rules: { 'no-empty-servers': 'off', 'no-server-example.com': 'off', 'operation-4xx-response': 'off' },
  })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(problems.map((p) => `${p.ruleId} ${p.location[0]?.pointer}: ${p.message}`)).toEqual([])
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
