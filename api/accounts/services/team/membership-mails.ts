import type { Mail } from '../../../../connectors/mail/port.ts'

/** What a mail program makes a link of, or a reader takes for an address. */
const LINKED = /:\/\/|www\.|@|[^\s.]\.[^\s.]/i

/**
 * Of a name that a stranger chose: one line, in the order in which it is written. A name with an address or a link in it
 * could send readers elsewhere in our name, so it is not repeated (decisions 16.5).
 */
function named(text: string): string {
  const shown = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
  return LINKED.test(shown.normalize('NFKC')) ? 'a team' : `the team "${shown}"`
}

export type MembershipMail = (to: string, customer: string, url: string) => Mail

/** An operator of the platform made the user a member. */
export const memberAddedMail: MembershipMail = (to, customer, url) => ({
  to,
  subject: 'You were added to a team at Harrier',
  text: `An operator added you to ${named(customer)}.\n\nYou can leave it here:\n${url}account/team\n`,
})

/** A member of the team named the user by its id, without asking. */
export const invitedByIdMail: MembershipMail = (to, customer, url) => ({
  to,
  subject: 'You are invited to a team at Harrier',
  text: `You are invited to ${named(customer)}.\n\nNothing changes until you accept. Accept or decline here:\n${url}account/team\n\nIf you do not know the team, ignore this mail.\n`,
})

/** `again`: the link of an earlier mail is worth nothing any more. */
type Link = { url: string; token: string; again: boolean }

/** Somebody invites the reader, with or without an account. The link does nothing by being opened. */
export const memberInvitedMail = (to: string, customer: string, { url, token, again }: Link): Mail => ({
  to,
  subject: again ? 'You are invited to a team at Harrier again' : 'You are invited to a team at Harrier',
  text: `You are invited to ${named(customer)}.${again ? '\nThe link of an earlier invitation to it no longer works.' : ''}\n\nSign in or register with this address, then accept the invitation:\n${url}account/team#invitation=${token}\n\nThe invitation is valid for 7 days. If you do not know the team, ignore this mail.\n`,
})
