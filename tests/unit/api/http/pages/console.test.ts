import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONSOLE_PAGES } from '../../../../../schemas/console-pages.ts'
import { errorOf, type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { ownFolder } from '../../../../builders/suite/own-folder.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const folder = ownFolder('console')
let api: RunningApi

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<meta property="csp-nonce" nonce="NONCE"><p>page</p>')
  writeFileSync(join(folder, 'assets/main-AbCd_123.js'), 'let plain')
  writeFileSync(join(folder, 'assets/main-AbCd_123.js.br'), 'squeezed')
  writeFileSync(join(folder, 'secret.txt'), 'no')
  api = await startApi({}, { consoleDir: folder })
})
afterAll(() => api.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(api.url + path, { headers })

describe('the console', () => {
  const addresses = Object.values(CONSOLE_PAGES).flatMap((paths) =>
    paths.map((path) => path.replace(':id', 'domain-00')),
  )

  test.each([...addresses, '/search?q=x', '/triage/', '/account/team/'])('is the page of %s', async (path) => {
    const response = await get(path, BROWSER)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    const nonce = /nonce="([\w-]{22})"/.exec(await response.text())?.[1]
    expect(nonce).toBeDefined()
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`)
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('has another nonce in each answer', async () => {
    const texts = await Promise.all([1, 2].map(async () => (await get('/', BROWSER)).text()))
    expect(texts[0]).not.toBe(texts[1])
  })

  test.each(['*/*', 'application/json', ''])('is not what a client gets that accepts %j', async (accept) => {
    expect(await (await get('/', { accept })).json()).toMatchObject({ name: 'Harrier' })
  })

  const unknown = [
    '/overview',
    '/entity',
    '/entity/',
    '/entity/a/b',
    '/triage/below',
    '/account/nothing',
    '/operations/x/y',
  ]
  test.each([...unknown, '/nowhere', '/entities', '/apis'])(
    'is the page that there is no %s, with 404',
    async (path) => {
      const response = await get(path, BROWSER)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toMatch(/^text\/html/)
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(await response.text()).toContain('<p>page</p>')
      const plain = await get(path)
      expect(plain.status).toBe(404)
      await errorOf(plain)
    },
  )

  const ofTheApi = ['/api', '/api/nowhere', '/auth/v2/nowhere', '/taxii2/nowhere', '/mcp/nowhere', '/docs/x', '//']
  test.each(ofTheApi)('leaves %s to the API, also for a browser', async (path) => {
    const response = await get(path, BROWSER)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toMatch(/json/)
  })

  test('is no answer to another method than GET and HEAD', async () => {
    const response = await fetch(`${api.url}/nowhere`, { method: 'POST', headers: BROWSER })
    expect(response.status).toBe(404)
    await errorOf(response)
  })

  test('its files are sent as they were squeezed, for a year when their names carry a hash', async () => {
    const response = await get('/assets/main-AbCd_123.js', { 'accept-encoding': 'br' })
    expect(response.headers.get('content-type')).toMatch(/javascript/)
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(response.headers.get('cache-control')).toBe('max-age=31536000,immutable')
    await response.body?.cancel().catch(() => undefined)
    expect(await (await get('/assets/main-AbCd_123.js', { 'accept-encoding': 'identity' })).text()).toBe('let plain')
  })

  test.each(['/assets/none.js', '/assets/../secret.txt', '/assets/%2e%2e/secret.txt', '/assets/%00'])(
    'has no file %s',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      await errorOf(response)
    },
  )

  test('without what was built there is the index alone', async () => {
    const bare = await startApi({}, { consoleDir: join(folder, 'nothing') })
    expect(await (await fetch(`${bare.url}/`, { headers: BROWSER })).json()).toMatchObject({ name: 'Harrier' })
    await bare.close()
  })
})
