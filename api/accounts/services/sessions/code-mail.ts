import type { Mail } from '../../../../connectors/mail/port.ts'

/**
 * Nothing of what a caller said is in the mail: it goes to whoever has the address, asked for or not. The code is not in
 * the subject: subjects are in logs.
 */
export const codeMail = (to: string, code: string): Mail => ({
  to,
  subject: 'Your Harrier code',
  text: `Your Harrier code is ${code}\n\nThe code is valid for 10 minutes. If you did not request it,\nignore this mail: nothing happens without the code.\n`,
})
