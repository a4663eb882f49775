import type { Mail } from '../../../../connectors/mail/port.ts'

/** What a user is told of its own account. Nothing of what another caller said is in these mails but addresses. */

const END = '\n\nIf that was not you, sign in, end the sessions that you do not know and remove the address.\n'

/** An address is added: whoever reads its mails will be able to sign in. */
export const addressAddedMail = (to: string, address: string): Mail => ({
  to,
  subject: 'An address was added to your Harrier account',
  text: `The address ${address} was added to your Harrier account.\nOnce its code was entered, it can be used to sign in.${END}`,
})

export const addressPreferredMail = (to: string, address: string): Mail => ({
  to,
  subject: 'Harrier writes to another address from now on',
  text: `Mails about your Harrier account go to ${address} from now on.${END}`,
})

export const addressRemovedMail = (to: string, address: string): Mail => ({
  to,
  subject: 'An address was removed from your Harrier account',
  text: `The address ${address} was removed from your Harrier account\nand cannot be used to sign in any more.${END}`,
})

/** An account was made for whoever reads the mail; `portalUrl` may be empty. */
export const accountCreatedMail = (to: string, portalUrl: string): Mail => ({
  to,
  subject: 'You have a Harrier account',
  text: `An account was made for you. Sign in with this address:\na code is mailed to you.${portalUrl === '' ? '' : `\n\n${portalUrl}`}\n`,
})
