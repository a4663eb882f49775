/** A mailer that keeps its mails where a test can read them. */

import type { Mail, Mailer } from '../../../connectors/mail/port.ts'

export type Mailbox = Mailer & {
  mails: Mail[]
  probes: number
  /** While true, every mail and every probe fails. */
  down: boolean
  /** The code of the newest mail to an address. */
  codeFor(email: string): string
}

export function mailbox(): Mailbox {
  const work = async (then: () => void): Promise<void> => {
    if (box.down) throw new Error('the mail server is down')
    then()
  }
  const box: Mailbox = {
    mails: [],
    probes: 0,
    down: false,
    send: (mail) => work(() => void box.mails.push(mail)),
    probe: () => work(() => void box.probes++),
    codeFor(email) {
      const mail = box.mails.findLast(({ to }) => to === email)
      const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
      if (code === undefined) throw new Error(`no code was mailed to ${email}`)
      return code
    },
  }
  return box
}
