/** The mail of a delivery: plain text, one line a fact. */

import { oneLine } from '../defang.ts'
import { entityLink, inboxLink, type Links, type Message } from '../message.ts'
import { wordsOf } from './message-words.ts'

const MAX_SUBJECT = 150

/** Short enough for the mail port: twenty facts of two hundred characters. */
export function mailOf(message: Message, links: Links): { subject: string; text: string } {
  const { title, facts } = wordsOf(message)
  const lines = facts.map(({ label, value }) => `${label}: ${value}`)
  const link = message.type === 'alert.created' ? entityLink(links, message.alert) : inboxLink(links)
  return {
    subject: oneLine(title, MAX_SUBJECT),
    text: `${title}\n\n${lines.join('\n')}\n\n${link}\n\nYou get this mail because this address is a destination of your Harrier alerts.\n`,
  }
}
