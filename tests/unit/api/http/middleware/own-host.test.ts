import { request } from 'node:http'
import { expect, test } from 'vitest'
import { ADMIN, asAdmin, startApi } from '../../../../builders/api/api.ts'
import { during } from '../../../../builders/suite/during.ts'

const api = during(() => startApi({}, { ownNames: ['harrier.example.com'] }))

const asked = (host: string, path: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(api.url + path, { headers: { host, ...headers } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode!)
    })
    sent.on('error', reject)
    sent.end()
  })

const PATHS = ['/api/analytics/v1/overview', '/livez', '/openapi.json', '/docs']

test.each([
  '127.0.0.1',
  '127.0.0.1:8080',
  '[::1]:8080',
  'localhost',
  'LOCALHOST:1',
  'a.localhost',
  'Harrier.example.com:443',
])('%s is a name of the platform', async (host) => {
  for (const path of PATHS) expect(await asked(host, path), path).not.toBe(403)
})

test.each([
  'evil.example',
  'evil.example:8080',
  'localhost.evil.example',
  'harrier.example.com.evil.example',
  '127.0.0.1.evil.example',
  'xlocalhost',
])('%s is none, whatever is asked for', async (host) => {
  for (const path of PATHS) expect(await asked(host, path), path).toBe(403)
})

const REPUTATION = '/api/search/v1/reputation/8.8.8.8'

test('a client with right credentials is served by any name: no page of a stranger has them', async () => {
  for (const host of ['evil.example', 'x', 'harrier', 'harrier.internal:18200'])
    for (const path of [REPUTATION, '/api/analytics/v1/overview'])
      expect(await asked(host, path, asAdmin), path).toBe(200)
})

test.each<[string, Record<string, string>, number]>([
  ['a wrong secret', { ...asAdmin, 'api-secret': 'wrong' }, 401],
  ['a wrong key', { 'api-key': 'wrong', 'api-secret': ADMIN.secret }, 401],
  ['a secret without a key', { 'api-secret': ADMIN.secret }, 401],
  ['a wrong token', { authorization: 'Bearer wrong' }, 401],
  ['two credentials', { ...asAdmin, authorization: 'Bearer wrong' }, 401],
  ['an empty secret', { 'api-secret': '' }, 401],
  ['an empty authorization', { authorization: '' }, 401],
  ['a key without a secret', { 'api-key': ADMIN.key }, 403],
  ['nothing', {}, 403],
  ['a cookie', { cookie: 'session=1' }, 403],
])('by a foreign name %s is refused', async (_, headers, status) => {
  expect(await asked('evil.example', REPUTATION, headers)).toBe(status)
})

test('what looks at no credentials is not served by a foreign name, whatever comes with it', async () => {
  for (const path of ['/livez', '/openapi.json', '/docs', '/'])
    expect(await asked('evil.example', path, asAdmin), path).toBe(403)
})
