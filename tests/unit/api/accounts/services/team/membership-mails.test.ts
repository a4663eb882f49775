import { expect, test } from 'vitest'
import { memberAddedMail, memberInvitedMail } from '../../../../../../api/accounts/services/team/membership-mails.ts'
import { message } from '../../../../../../connectors/mail/message.ts'

const URL = 'https://harrier.example/'
const LINK = { url: URL, token: 'a-token', again: false }

test('a link of an invitation is in the fragment, which no browser sends', () => {
  const { text, to } = memberInvitedMail('ada@example.com', 'Acme', LINK)
  expect(to).toBe('ada@example.com')
  expect(text).toContain(`${URL}account/team#invitation=a-token\n`)
  expect(memberAddedMail('ada@example.com', 'Acme', URL).text).toContain(`${URL}account/team\n`)
})

test('who is invited again is told that the earlier link is over', () => {
  const mail = (again: boolean) => memberInvitedMail('ada@example.com', 'Acme', { ...LINK, again })
  expect(mail(true).subject).toMatch(/again$/)
  expect(mail(true).text).toContain('no longer works')
  expect(mail(false).text).not.toContain('no longer works')
})

const names = [
  'Acme\r\nBcc: eve@example.com',
  'Acme\n\n--boundary\nContent-Type: text/html\n\n<b>',
  'Acme\u2028second line',
  'Acme\u0085next',
  'Acme\u202Eevil\u2066',
  'x'.repeat(20_000),
]
for (const name of names)
  test(`a team called ${JSON.stringify(name.slice(0, 30))} adds no header, no line and no length`, () => {
    for (const mail of [
      memberAddedMail('ada@example.com', name, URL),
      memberInvitedMail('ada@example.com', name, LINK),
    ]) {
      const usual = memberInvitedMail('ada@example.com', 'Acme', LINK)
      const lines = (text: string) => text.split(/[\r\n\u0085\u2028\u2029]/).length
      expect(lines(mail.text)).toBeLessThanOrEqual(lines(usual.text))
      expect(mail.text).not.toMatch(/[\p{Cf}\u0085\u2028]/u)
      expect(mail.text.length).toBeLessThan(1_000)
      expect(mail.subject).not.toContain(name.slice(0, 4))
      // The transport takes it as it is.
      expect(message(mail, 'harrier@example.com', 0).to).toEqual([{ name: '', address: 'ada@example.com' }])
    }
  })
