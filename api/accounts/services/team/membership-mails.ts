import type { Mail } from '../../../../connectors/mail/port.ts'

/** Of a name that a stranger chose: one line, in the order in which it is written. */
const line = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)

/** An administrator made the user a member, without the user's consent. */
export const memberAddedMail = (to: string, customer: string, url: string): Mail => ({
  to,
  subject: 'You were added to a team at Harrier',
  text: `You were added to the team "${line(customer)}".\n\nUntil you accept the membership, your reports stay your own. Accept it here:\n${url}account/team\n\nYou can also leave the team there.\n`,
})

/** `again`: the link of an earlier mail is worth nothing any more. */
type Link = { url: string; token: string; again: boolean }

/** Somebody invites the reader, with or without an account. The link does nothing by being opened. */
export const memberInvitedMail = (to: string, customer: string, { url, token, again }: Link): Mail => ({
  to,
  subject: again ? 'You are invited to a team at Harrier again' : 'You are invited to a team at Harrier',
  text: `You are invited to the team "${line(customer)}".${again ? '\nThe link of an earlier invitation to it no longer works.' : ''}\n\nSign in or register with this address, then accept the invitation:\n${url}account/team#invitation=${token}\n\nThe invitation is valid for 7 days. If you do not know the team, ignore this mail.\n`,
})
