import { expect, test } from 'vitest'
import { isDownloadToken, newDownloadToken, withoutTokens } from '../../../../schemas/feeds-out/download-token.ts'

test('tokens are different, and are recognised', () => {
  const tokens = Array.from({ length: 100 }, newDownloadToken)
  expect(new Set(tokens).size).toBe(100)
  expect(tokens.every(isDownloadToken)).toBe(true)
  expect(['', 'hft_', `${tokens[0]}x`, tokens[0]!.slice(1)].some(isDownloadToken)).toBe(false)
})

const TOKEN = `hft_${'aB-_'.repeat(11).slice(0, 43)}`
const cases: [string, string][] = [
  ['/api/feeds/v1/feeds/1/items.csv', '/api/feeds/v1/feeds/1/items.csv'],
  [`/api/feeds/v1/t/${TOKEN}/items.csv`, '/api/feeds/v1/t/{token}/items.csv'],
  ['/api/feeds/v1/t/a-secret-of-another-kind', '/api/feeds/v1/t/{token}'],
  [`/elsewhere/${TOKEN}/x`, '/elsewhere/{token}/x'],
  [`/api/feeds/v1/%74/${TOKEN.replaceAll('f', '%66')}/x`, '/api/feeds/v1/t/{token}/x'],
  [`/%/${TOKEN}`, '/%/{token}'],
]
for (const [path, want] of cases) test(`the log has ${want} for ${path}`, () => expect(withoutTokens(path)).toBe(want))
