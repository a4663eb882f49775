/** What every mailer promises. */

import { describe, expect, test } from 'vitest'
import { InvalidMailError } from '../../../connectors/mail/message.ts'
import type { Mailer } from '../../../connectors/mail/port.ts'

export type MailStore = {
  mailer: Mailer
  /** The text of every mail so far, headers and all, lines ended by `\n`. */
  texts(): Promise<string[]>
}

export function mailContract(name: string, open: () => Promise<MailStore>): void {
  describe(name, () => {
    const at = Date.parse('2026-02-03T04:05:06Z')

    test('a mail arrives with its reader, subject, date and text', async () => {
      const { mailer, texts } = await open()
      await mailer.send({ to: 'ada@example.com', subject: '123456 is your code', text: 'Your code is 123456\n' })
      const [text] = await texts()
      const [head, body] = text!.split(/\n\n(.*)/s)
      expect(head).toMatch(/^To: ada@example\.com$/m)
      expect(head).toMatch(/^From: harrier@localhost$/m)
      expect(head).toMatch(/^Subject: 123456 is your code$/m)
      expect(Date.parse(/^Date: (.*)$/m.exec(head!)![1]!)).toBe(at)
      expect(body).toContain('Your code is 123456')
    })

    test('a mail in any script, with lines that end it elsewhere, arrives as it is', async () => {
      const { mailer, texts } = await open()
      await mailer.send({ to: 'zoe@example.com', subject: 'Zoë', text: 'a\n.\nBcc: x@example.com\n' })
      const [text] = await texts()
      expect(text).toMatch(/^Subject: =\?UTF-8\?/m)
      expect(text).toMatch(/\n\n[\s\S]*^\.+$\nBcc: x@example\.com$/m)
      expect(await texts()).toHaveLength(1)
    })

    const bad: [string, string][] = [
      ['a@example.com\r\nBcc: b@example.com', 'x'],
      ['a@example.com\nBcc: b@example.com', 'x'],
      ['a@example.com, b@example.com', 'x'],
      ['a@example.com;b@example.com', 'x'],
      ['Ada <a@example.com>', 'x'],
      ['"a\r\nBcc: b"@example.com', 'x'],
      ['a@example.com\0', 'x'],
      ['a@b@example.com', 'x'],
      ['a@example.com\u0085', 'x'],
      ['', 'x'],
      ['a@example.com', 'x\r\nBcc: b@example.com'],
      ['a@example.com', 'x\nBcc: b@example.com'],
      ['a@example.com', 'x'.repeat(201)],
    ]
    test('no address and no subject becomes another header or another reader', async () => {
      const { mailer, texts } = await open()
      for (const [to, subject] of bad)
        await expect(mailer.send({ to, subject, text: 'x' }), JSON.stringify([to, subject])).rejects.toThrow(
          InvalidMailError,
        )
      expect(await texts()).toEqual([])
    })

    test('a probe sends nothing', async () => {
      const { mailer, texts } = await open()
      await mailer.probe()
      expect(await texts()).toEqual([])
    })
  })
}

export const SENT_AT = () => Date.parse('2026-02-03T04:05:06Z')
