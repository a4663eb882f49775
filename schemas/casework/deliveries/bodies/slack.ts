/** The JSON that an incoming webhook of Slack takes, and of what speaks as Slack does. */

import { entityLink, inboxLink, type Links, type Message } from '../message.ts'
import { wordsOf } from './message-words.ts'

/** Of the text of one section, in characters: Slack takes 3,000. */
const MAX_SECTION = 2_900

/** The three characters that mean something to Slack: mentions, links and dates are all written with them. */
export const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Inside of a code span no emphasis and no emoji are read. */
const code = (text: string): string => `\`${slackText(text.replaceAll('`', "'"))}\``

export function slackBody(message: Message, links: Links): Buffer {
  const { title, facts } = wordsOf(message)
  const [label, link] =
    message.type === 'alert.created'
      ? ['Open in Harrier', entityLink(links, message.alert)]
      : ['All alerts', inboxLink(links)]
  const lines = facts.map((fact) => `${code(fact.label)} ${code(fact.value)}`)
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })
  const blocks = [section(code(title)), ...sections(lines).map(section), section(`<${slackText(link)}|${label}>`)]
  return Buffer.from(JSON.stringify({ text: slackText(title), blocks }))
}

/** Whole lines, as many in one section as it takes. */
function sections(lines: readonly string[]): string[] {
  const all: string[] = []
  for (const line of lines) {
    const last = all.at(-1)
    if (last !== undefined && last.length + line.length + 1 <= MAX_SECTION) all[all.length - 1] = `${last}\n${line}`
    else all.push(line)
  }
  return all
}
