/**
 * Every file of the API that handles the address of a caller, and for what: nothing that is counted or shared out is
 * counted by a whole address of IPv6, of which a caller has 2^64. A new file needs a line.
 */

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** It counts, by a block. */
const COUNTS: Readonly<Record<string, RegExp>> = {
  'accounts/services/sessions/verification.ts': /address: addressBlock\(ip\),\s+network: .*networkOf\(ip\)/,
  'accounts/services/sign-on-service.ts': /address: siteOf\(ip\)/,
  'http/audit/trail.ts': /refuse\([^)]*siteOf\(ip\)/,
  'http/limits/allowance.ts': /id: knownBlock\(ip\)/,
  'http/middleware/identity.ts': /const name = `\$\{knownBlock\(ip\)\}/,
  'http/handler-request.ts': /name: knownBlock\(ip\), anonymous: true/,
  'http/server.ts': /knownBlock\(plain\(socket\.remoteAddress/,
  'intelligence/routes/search/around-routes.ts': /caller: user\?\.userId \?\? addressBlock\(ip\)/,
  'intelligence/routes/search/entity-search-routes.ts': /caller: user\?\.userId \?\? addressBlock\(ip\)/,
  'intelligence/routes/search/history-routes.ts': /caller: user\?\.userId \?\? addressBlock\(ip\)/,
  'intelligence/routes/sources-routes.ts': /user\?\.userId \?\? addressBlock\(ip\)/,
}

/** It hands the address on to one that counts, or to the check of the networks of a key. */
const HANDS_ON = [
  'accounts/routes/plan/limits-routes.ts',
  'accounts/routes/sessions/key-pairs.ts',
  'accounts/routes/sessions/sessions-routes.ts',
  'accounts/routes/sign-on-routes.ts',
  'accounts/routes/users/emails.ts',
  'accounts/services/sessions/key-pairs.ts',
  'accounts/services/sessions/sessions-service.ts',
  'accounts/services/users/emails.ts',
  'assistants/services/inner-requests.ts',
  'casework/routes/destinations-routes.ts',
  'casework/services/destinations-service.ts',
  'feeds-out/services/feed-credentials.ts',
  'http/limits/open-streams.ts',
  'http/limits/up-to.ts',
  'http/middleware/limits.ts',
  'http/route.ts',
  'http/serve.ts',
  'live/area.ts',
  'live/routes/changes-routes.ts',
  'live/routes/socket.ts',
  'live/services/open-places.ts',
  'live/services/tickets.ts',
  'live/services/streams.ts',
]

/** It says what an address is. */
const ADDRESSES = [
  'http/addresses/address-block.ts',
  'http/addresses/client-ip.ts',
  'http/addresses/known-addresses.ts',
]

/** An address there is one that is asked about, or a column of the audit log. */
const NO_CALLER = /^(openapi\/|intelligence\/services\/entity\/|operation\/routes\/audit|scans\/services\/scans)/

const folder = new URL('../../../../api/', import.meta.url)
const sourceOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8')
const isCode = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
    .replaceAll(/'(?:\\.|[^'\\\n])*'/g, "''")
    // An address that an example of the API document has.
    .replaceAll(/\bip: ''/g, '')

test('every use of the address of a caller is known', () => {
  const found = globSync('**/*.ts', { cwd: folder }).filter(
    (file) => !NO_CALLER.test(file) && /\bip\b|remoteAddress|clientIp|addressBlock/.test(isCode(sourceOf(file))),
  )
  expect(found.sort()).toEqual([...Object.keys(COUNTS), ...HANDS_ON, ...ADDRESSES].sort())
})

test.each(Object.entries(COUNTS))('%s counts by a block', (file, how) => expect(sourceOf(file)).toMatch(how))

test('nothing else makes a block of an address', () => {
  const made = globSync('**/*.ts', { cwd: folder }).filter((file) =>
    /(?:addressBlock|knownBlock|siteOf|networkOf)\(/.test(isCode(sourceOf(file))),
  )
  expect(made.filter((file) => !(file in COUNTS) && !ADDRESSES.includes(file))).toEqual([])
})
