import type { Mail } from '../../../../connectors/mail/port.ts'

/**
 * The mail contains no input of the caller, because it goes to the owner of the address, who may not have requested it.
 * The code is not in the subject, because mail servers log subjects.
 */
export const codeMail = (to: string, code: string): Mail => ({
  to,
  subject: 'Your Harrier code',
  text: `Your Harrier code is ${code}\n\nThe code is valid for 10 minutes. If you did not request it,\nignore this mail: nothing happens without the code.\n`,
})
