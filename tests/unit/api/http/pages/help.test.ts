import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { ownFolder } from '../../../../builders/suite/own-folder.ts'

const folder = ownFolder('help')
let api: RunningApi
beforeAll(async () => {
  mkdirSync(join(folder, 'use/search'), { recursive: true })
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<h1>Home</h1>')
  writeFileSync(join(folder, '404.html'), '<link href="@ROOT@/assets/site.css">')
  writeFileSync(join(folder, 'use/search/index.html'), '<h1>Search</h1>')
  writeFileSync(join(folder, 'assets/site.css'), 'body{}')
  api = await startApi({}, { helpDir: folder })
})
afterAll(() => api.close())

const get = (path: string, init: RequestInit = {}) => fetch(api.url + path, { redirect: 'manual', ...init })

describe('the documentation', () => {
  test.each([
    ['/help/', 'Home'],
    ['/help/use/search/', 'Search'],
  ])('%s is its page, with a policy that loads nothing from elsewhere', async (path, title) => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await answer.text()).toBe(`<h1>${title}</h1>`)
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    )
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each([
    ['/help', 'help/'],
    ['/help?x=1', 'help/?x=1'],
    ['/help/use/search?q=a%20b', 'search/?q=a%20b'],
  ])('%s leads to %s, which keeps the prefix of a proxy and names no host', async (path, to) => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([301, to])
  })

  test('conditions and HEAD are answered', async () => {
    const first = await get('/help/use/search/')
    const etag = first.headers.get('etag')!
    await first.text()
    const again = await get('/help/use/search/', { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await get('/help/assets/site.css', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', ''])
  })

  test.each([
    ['/help/nothing', './'],
    ['/help/use/nothing', '../'],
    ['/help/use/nothing/', '../../'],
    ['/help/..%2f..%2fpackage.json', './'],
    ['/help/.git', './'],
  ])('%s is a page with its style', async (path, root) => {
    const answer = await get(path)
    expect([answer.status, await answer.text()]).toEqual([404, `<link href="${root}assets/site.css">`])
  })

  test('where no site was built there is none', async () => {
    const bare = await startApi({}, { helpDir: join(folder, 'nothing') })
    try {
      expect((await fetch(`${bare.url}/help/`)).status).toBe(404)
    } finally {
      await bare.close()
    }
  })
})
