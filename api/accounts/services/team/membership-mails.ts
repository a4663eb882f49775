import type { Mail } from '../../../../connectors/mail/port.ts'

/** A header line ends at a line break: none of it reaches a mail. Names are checked where they are given. */
const line = (text: string): string => text.replace(/[\r\n]+/g, ' ')

/** An administrator made the user a member, without the user's consent. */
export const memberAddedMail = (to: string, customer: string, url: string): Mail => ({
  to,
  subject: 'You were added to a team at Harrier',
  text: `You were added to the team "${line(customer)}".\n\nUntil you accept the membership, your reports stay your own. Accept it here:\n${url}account/team\n\nYou can also leave the team there.\n`,
})

/** Somebody invites the reader, with or without an account. The link does nothing by being opened. */
export const memberInvitedMail = (to: string, customer: string, url: string, token: string): Mail => ({
  to,
  subject: 'You are invited to a team at Harrier',
  text: `You are invited to the team "${line(customer)}".\n\nSign in or register with this address, then accept the invitation:\n${url}account/team#invitation=${token}\n\nThe invitation is valid for 7 days. If you do not know the team, ignore this mail.\n`,
})
