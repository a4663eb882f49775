import type { Mail } from '../../connectors/mail/port.ts'

/** Nothing of what a caller said is in the mail: it goes to whoever has the address, asked for or not. */
export const codeMail = (to: string, code: string): Mail => ({
  to,
  subject: `${code} is your Harrier code`,
  text: `Your Harrier code is ${code}\n\nIt is good for 10 minutes. If you did not ask for it, do nothing: without the code nothing happens.\n`,
})
