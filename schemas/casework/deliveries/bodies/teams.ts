/** The JSON that a workflow of Microsoft Teams takes: a message with one adaptive card. */

import { entityLink, inboxLink, type Links, type Message } from '../message.ts'
import { wordsOf } from './message-words.ts'

/** A run of text is shown as it is: unlike a text block it is not read as Markdown. */
const run = (text: string, weight: 'Default' | 'Bolder' = 'Default') => ({ type: 'TextRun', text, weight })

const paragraph = (...inlines: ReturnType<typeof run>[]) => ({ type: 'RichTextBlock', inlines })

export function teamsBody(message: Message, links: Links): Buffer {
  const { title, facts } = wordsOf(message)
  const action =
    message.type === 'alert.created'
      ? { type: 'Action.OpenUrl', title: 'Open in Harrier', url: entityLink(links, message.alert) }
      : { type: 'Action.OpenUrl', title: 'All alerts', url: inboxLink(links) }
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      paragraph(run(angled(title), 'Bolder')),
      ...facts.map(({ label, value }) => paragraph(run(`${angled(label)}: `, 'Bolder'), run(angled(value)))),
    ],
    actions: [action],
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }
  return Buffer.from(JSON.stringify({ type: 'message', attachments: [attachment] }))
}

/** Mentions are written `<at>`, and some clients read HTML: single quotation marks stand for both angles. */
const angled = (text: string): string => text.replaceAll('<', '\u2039').replaceAll('>', '\u203a')
