import { expect, test } from 'vitest'
import { hostOf, localHost } from '../../../../../schemas/network/host.ts'
import { webhookUrl } from '../../../../../schemas/scans/webhooks/url.ts'
import { HOSTILE_URLS } from '../../../../builders/network/hostile.ts'

const judged = (text: string, allowPrivate = false) => webhookUrl(text, { allowPrivate })

const accepted = [
  { given: 'https://hooks.example.com/a?b=c#d', want: 'https://hooks.example.com/a?b=c' },
  { given: 'HTTPS://Hooks.Example.COM', want: 'https://hooks.example.com/' },
  { given: 'http://hooks.example.com:80/', want: 'http://hooks.example.com/' },
  { given: 'http://hooks.example.com:443/', want: 'http://hooks.example.com:443/' },
  { given: 'https://hooks.example.com:1024/x', want: 'https://hooks.example.com:1024/x' },
  { given: 'https://8.8.8.8/', want: 'https://8.8.8.8/' },
  { given: 'https://134744072/', want: 'https://8.8.8.8/' },
  { given: 'https://[2606:4700:4700::1111]/', want: 'https://[2606:4700:4700::1111]/' },
  { given: 'https://bücher.example.com/', want: 'https://xn--bcher-kva.example.com/' },
  { given: `https://hooks.example.com/${'a'.repeat(2022)}`, want: `https://hooks.example.com/${'a'.repeat(2022)}` },
]
for (const { given, want } of accepted)
  test(`${given.slice(0, 60)} may be called`, () => expect(judged(given)).toEqual({ ok: true, url: want }))

for (const [i, url] of HOSTILE_URLS.entries())
  test(`hostile URL ${i} is refused: ${JSON.stringify(url.slice(0, 70))}`, () => {
    const said = judged(url)
    expect(said).toMatchObject({ ok: false, param: 'webhook.url' })
    expect(said.ok ? '' : said.message).toMatch(/^webhook\.url must /)
  })

test('in tests a private receiver may be named, and the rest stays refused', () => {
  expect(judged('http://127.0.0.1:8080/', true)).toEqual({ ok: true, url: 'http://127.0.0.1:8080/' })
  expect(judged('http://localhost:8080/', true).ok).toBe(true)
  for (const url of ['ftp://127.0.0.1/', 'http://a@127.0.0.1/', 'http://127.0.0.1:22/', 'http://x/\n']) {
    expect(judged(url, true).ok).toBe(false)
  }
})

test('a host loses its brackets and its final dot, and a public one has nothing against it', () => {
  expect(hostOf(new URL('http://[::1]:80/'))).toBe('::1')
  expect(hostOf(new URL('http://a.example.com./'))).toBe('a.example.com')
  expect(localHost('a.example.com')).toBeNull()
  expect(localHost('localhost.example.com')).toBeNull()
  expect(localHost('')).not.toBeNull()
})
