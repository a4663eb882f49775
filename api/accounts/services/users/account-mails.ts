import type { Mail } from '../../../../connectors/mail/port.ts'

/** Mails to a user about its own account. They contain no text of other callers except addresses. */

const END = '\n\nIf you did not do this, sign in, end all sessions that you do not recognise and remove the address.\n'

/** An address was added: its owner will be able to sign in. */
export const addressAddedMail = (to: string, address: string): Mail => ({
  to,
  subject: 'An address was added to your Harrier account',
  text: `The address ${address} was added to your Harrier account.\nAfter verification with the mailed code, it can be used to sign in.${END}`,
})

export const addressPreferredMail = (to: string, address: string): Mail => ({
  to,
  subject: 'The preferred address of your Harrier account has changed',
  text: `Harrier now sends mail about your account to ${address}.${END}`,
})

export const addressRemovedMail = (to: string, address: string): Mail => ({
  to,
  subject: 'An address was removed from your Harrier account',
  text: `The address ${address} was removed from your Harrier account.\nIt can no longer be used to sign in.${END}`,
})

/** An account was created for the recipient; `portalUrl` may be empty. */
export const accountCreatedMail = (to: string, portalUrl: string): Mail => ({
  to,
  subject: 'Your new Harrier account',
  text: `A Harrier account was created for you. Sign in with this email address;\nHarrier then sends you a sign-in code.${portalUrl === '' ? '' : `\n\n${portalUrl}`}\n`,
})
