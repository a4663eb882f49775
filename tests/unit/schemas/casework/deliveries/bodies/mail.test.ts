import fc from 'fast-check'
import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { message as mailMessage } from '../../../../../../connectors/mail/message.ts'
import { mailOf } from '../../../../../../schemas/casework/deliveries/bodies/mail.ts'
import { alertItem, created, digest, hostileMessage, LINKS } from '../../../../../builders/scans/alert-items.ts'

test('a mail says what fired, line by line, and where to read on', () => {
  expect(mailOf(created({ entityValue: 'evil.example', entityType: 'domain', matchedKind: 'suffix' }), LINKS)).toEqual({
    subject: 'Harrier alert: domain evil[.]example',
    text: [
      'Harrier alert: domain evil[.]example',
      '',
      'Reputation: Alarming (-3)',
      'Matched: suffix 203[.]0[.]113[.]7',
      'Times today: 1',
      'Last: 2026-03-01T12:00:00.000Z',
      '',
      `https://harrier.example.com/entity/${alertItem().entityID}`,
      '',
      'You get this mail because this address is a destination of your Harrier alerts.',
      '',
    ].join('\n'),
  })
  // An alert knows no accuracy: a 0 may be nobody's claim.
  expect(mailOf(created({ reputation: 0 }), LINKS).text).toContain('\nReputation: No verdict\n')
  const { subject, text } = mailOf(digest([alertItem(), alertItem({ reputation: 0 })]), LINKS)
  expect(text).toContain(': No verdict, by value 203[.]0[.]113[.]7\n')
  expect(subject).toBe('Harrier: 2 alerts')
  expect(text).toContain('\n\nhttps://harrier.example.com/alerts\n\n')
})

test('a mail of characters that are two units each is short enough for the mail port', () => {
  const long = alertItem({ entityType: '😀'.repeat(500), entityValue: '😀'.repeat(500), matchedOn: '😀'.repeat(500) })
  const many = Array.from({ length: 100 }, () => long)
  for (const message of [created(long), digest(many, 1_000_000)]) {
    const mail = mailOf(message, LINKS)
    expect(mail.subject.length).toBeLessThanOrEqual(150)
    expect(() => mailMessage({ to: 'reader@example.com', ...mail }, 'harrier@example.com', 0)).not.toThrow()
  }
})

test('whatever an alert says, the port takes the mail, and it has one reader and the headers that it always has', async () => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  await fc.assert(
    fc.asyncProperty(hostileMessage, async (message) => {
      const mail = mailOf(message, LINKS)
      // Throws what the port refuses.
      const made = mailMessage({ to: 'reader@example.com', ...mail }, 'harrier@example.com', 0)
      const { message: bytes } = await transport.sendMail(made)
      const [head] = bytes.toString().split('\n\n')
      const names = head!.split('\n').flatMap((line: string) => /^([A-Za-z-]+):/.exec(line)?.[1] ?? [])
      expect(new Set(names)).toEqual(
        new Set([
          'From',
          'To',
          'Subject',
          'Message-ID',
          'Content-Transfer-Encoding',
          'Date',
          'MIME-Version',
          'Content-Type',
        ]),
      )
      expect(mail.text.replaceAll(LINKS.console, '')).not.toMatch(/https?:\/\//i)
    }),
    { numRuns: 100 },
  )
})
