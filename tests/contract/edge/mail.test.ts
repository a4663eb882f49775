import { describe, expect, test } from 'vitest'
import { listenDns } from '../../../edge/listeners/dns.ts'
import { dnsResponder } from '../../../edge/protocols/dns/responder.ts'
import { dnsTcpSession } from '../../../edge/protocols/dns/tcp-session.ts'
import { dnsServer } from '../../builders/edge/dns/dns-server.ts'
import { withPostfix, withRspamd } from '../../builders/edge/mail-servers.ts'
import { memoryList } from '../../builders/edge/memory-list.ts'
import { fencesOf } from '../../builders/infra/page.ts'
import { during } from '../../builders/suite/during.ts'
import { orSkip } from '../../clients/prepare.ts'

/** The DNS zone of an edge, asked by mail servers with the settings that the page has (docs/integrate/edge.md). */

const LISTED = '203.0.113.9'
const UNLISTED = '198.51.100.1'

/** The block of the page below a heading, for the zone of the tests. */
function settings(section: string): string {
  const found = fencesOf('docs/integrate/edge.md').filter((block) => block.section === section)
  expect([section, found.length > 0]).toEqual([section, true])
  return found.map(({ code }) => code.replaceAll('bl.example.net', 'bl.test')).join('\n')
}

const list = memoryList([
  { type: 'ip', value: LISTED, reputation: -3, accuracy: 3, tags: ['botnet', 'c2'] },
  { type: 'domain', value: 'evil.example', reputation: -2 },
])
const responder = dnsResponder({ zone: 'bl.test', answers: list, places: list, ttl: 60 })

async function whileStale<T>(ask: () => Promise<T>): Promise<T> {
  list.set({ stale: true })
  try {
    return await ask()
  } finally {
    list.set({ stale: false })
  }
}

/** Programs that ask the name server of the machine ask it at port 53: at an address of loopback that nobody else uses. */
async function atPort53() {
  const [a, b] = [1 + Math.floor(Math.random() * 250), 1 + Math.floor(Math.random() * 250)]
  const host = `127.88.${a}.${b}`
  const listener = await listenDns(
    { host, port: 53 },
    responder,
    () => dnsTcpSession(responder),
    () => true,
  )
  return { host, close: () => listener.close() }
}

describe('Postfix', () => {
  test('refuses what is listed with the words of the list, and asks for nothing else', async ({ skip }) => {
    const server = await orSkip(atPort53(), skip)
    try {
      const found = await orSkip(
        withPostfix(server.host, settings('Postfix'), async ({ smtpd, postscreen }) => ({
          client: await smtpd(LISTED, 'someone@clean.example'),
          sender: await smtpd(UNLISTED, 'someone@evil.example'),
          clean: await smtpd(UNLISTED, 'someone@clean.example'),
          screened: await postscreen(LISTED),
          stale: await whileStale(() => smtpd('203.0.113.10', 'someone@clean.example')),
        })),
        skip,
      )
      expect(found).toEqual({
        client: expect.stringMatching(/^554 5\.7\.1 .*\[203\.0\.113\.9\].* using bl\.test; reputation=-3 .*botnet,c2$/),
        sender: expect.stringMatching(/^554 5\.7\.1 .*\[someone@evil\.example\].* using bl\.test; reputation=-2 /),
        clean: '250 2.1.5 Ok',
        screened: expect.stringMatching(/^550 5\.7\.1 .*\[203\.0\.113\.9\] blocked using bl\.test/),
        // It says so in its log, and takes the mail.
        stale: '250 2.1.5 Ok',
      })
    } finally {
      await server.close()
    }
  })
})

describe('rspamd', () => {
  const server = during(() => dnsServer(responder))
  const mailOf = (body: string): string =>
    `From: <someone@clean.example>\r\nTo: <someone@mx.test>\r\nSubject: x\r\n\r\n${body}\r\n`

  test('adds the symbols of the page for addresses and links', async ({ skip }) => {
    const found = await orSkip(
      withRspamd(`127.0.0.1:${server.port}`, settings('rspamd'), async (check) => ({
        client: await check(LISTED, mailOf('hello')),
        link: await check(UNLISTED, mailOf('see http://login.evil.example/x')),
        clean: await check(UNLISTED, mailOf('see http://clean.example/x')),
        stale: await whileStale(() => check('203.0.113.10', mailOf('hello'))),
      })),
      skip,
    )
    expect(found).toEqual({
      client: { HARRIER_HIGH: [`${LISTED}:from`] },
      link: { HARRIER_MEDIUM: ['evil.example:url'] },
      clean: {},
      stale: { HARRIER_FAIL: ['203.0.113.10:server fail'] },
    })
  })
})
