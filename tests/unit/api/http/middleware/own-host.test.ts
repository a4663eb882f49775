import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startApi } from '../../../../builders/api/api.ts'
import { during } from '../../../../builders/suite/during.ts'

const api = during(() => startApi({}, { ownNames: ['harrier.example.com'] }))

const asked = (host: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(api.url + path, { headers: { host } }, (answer) => {
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
