import { expect, test } from 'vitest'
import { clientName } from '../../../../../../console/src/pages/sign-in/client-name.ts'

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const cases = [
  [`Mozilla/5.0 (X11; Linux x86_64) ${KIT} Chrome/140.0.0.0 Safari/537.36`, 'Console in Chrome on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64) ${KIT} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Console in Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Console in Firefox on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18 Safari/605',
    'Console in Safari on macOS',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604', 'Console in Safari on iOS'],
  [`Mozilla/5.0 (Linux; Android 15) ${KIT} Chrome/140.0 Mobile Safari/537.36`, 'Console in Chrome on Android'],
  ['something else', 'Console'],
] as const

for (const [userAgent, name] of cases)
  test(`${name}`, () => {
    expect(clientName(userAgent)).toBe(name)
    expect(name.length).toBeLessThanOrEqual(50)
  })
