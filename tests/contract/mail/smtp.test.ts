import { afterEach, expect, test } from 'vitest'
import { smtpMailer } from '../../../connectors/mail/smtp.ts'
import { type SmtpServer, smtpServer } from '../../builders/network/smtp-server.ts'
import { mailContract, SENT_AT } from './suite.ts'

const servers: SmtpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function open(query = '', timeoutMs = 2000) {
  const server = await smtpServer()
  servers.push(server)
  const mailer = smtpMailer({ url: server.url + query, timeoutMs, now: SENT_AT })
  return { server, mailer, texts: async () => server.mails.map(({ text }) => text) }
}

mailContract('smtp', open)

const mail = { to: 'ada@example.com', subject: 'x', text: 'x' }

test('the envelope names one reader and the sender of the URL', async () => {
  const { server, mailer } = await open('?from=intel%40example.org')
  await mailer.send(mail)
  expect(server.mails).toMatchObject([{ from: 'intel@example.org', to: ['ada@example.com'] }])
})

test('a refusal of the server rejects', async () => {
  const { server, mailer } = await open()
  server.refuse = '451 later'
  await expect(mailer.send(mail)).rejects.toThrow('451 later')
})

test('a server that is not there rejects mail and probe', async () => {
  const { server, mailer } = await open()
  await server.close()
  servers.length = 0
  await expect(mailer.send(mail)).rejects.toThrow('ECONNREFUSED')
  await expect(mailer.probe()).rejects.toThrow('ECONNREFUSED')
})

test('a server that says nothing is given up after its time', async () => {
  const { server, mailer } = await open('', 100)
  server.mute = true
  const begun = performance.now()
  await expect(mailer.send(mail)).rejects.toThrow(/greeting|timeout/i)
  await expect(mailer.probe()).rejects.toThrow(/greeting|timeout/i)
  expect(performance.now() - begun).toBeLessThan(2000)
})

test('a probe is one connection, as a mail is', async () => {
  const { server, mailer } = await open()
  await mailer.probe()
  expect(server.connections).toBe(1)
  await mailer.send(mail)
  expect(server.connections).toBe(2)
})

test('a password goes to a server elsewhere over TLS or not at all', async () => {
  for (const [host, told] of [
    ['127.0.0.1', true],
    ['127.0.0.2', false],
  ] as const) {
    const server = await smtpServer(host)
    servers.push(server)
    const url = server.url.replace('smtp://', 'smtp://ada:secret@')
    const sent = smtpMailer({ url, timeoutMs: 500, now: SENT_AT }).send(mail)
    if (told) await sent
    else await expect(sent).rejects.toThrow(/STARTTLS/)
    expect(server.heard.some((line) => line.startsWith('AUTH'))).toBe(told)
  }
})
