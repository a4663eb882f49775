import fc from 'fast-check'
import { expect, test } from 'vitest'
import { teamsBody } from '../../../../../../schemas/casework/deliveries/bodies/teams.ts'
import { alertItem, created, digest, hostileMessage, LINKS } from '../../../../../builders/scans/alert-items.ts'

/** What Teams takes. */
const MAX_BYTES = 28 * 1024

type Card = { body: { type: string; inlines: { type: string; text: string }[] }[]; actions: { url: string }[] }

const cardOf = (body: Buffer): Card => {
  const { type, attachments } = JSON.parse(body.toString())
  expect(type).toBe('message')
  expect(attachments).toHaveLength(1)
  expect(attachments[0].contentType).toBe('application/vnd.microsoft.card.adaptive')
  return attachments[0].content
}

test('an alert is a card of plain runs of text, with one link of ours', () => {
  const card = cardOf(teamsBody(created({ matchedOn: '<at>all</at>' }), LINKS))
  const lines = card.body.map(({ inlines }) => inlines.map(({ text }) => text).join(''))
  expect(lines).toEqual([
    'Harrier alert: ip 203[.]0[.]113[.]7',
    'Reputation: Alarming (-3)',
    'Matched: value \u2039at\u203aall\u2039/at\u203a',
    'Times today: 1',
    'Last: 2026-03-01T12:00:00.000Z',
  ])
  expect(card.actions.map(({ url }) => url)).toEqual([`https://harrier.example.com/entity/${alertItem().entityID}`])
})

test('a digest leads to the inbox of the console', () => {
  const card = cardOf(teamsBody(digest([alertItem()]), LINKS))
  expect(card.actions.map(({ url }) => url)).toEqual(['https://harrier.example.com/alerts'])
})

test('whatever an alert says, no text is read as markup, nothing is a link but ours, and Teams takes the size', () => {
  fc.assert(
    fc.property(hostileMessage, (message) => {
      const body = teamsBody(message, LINKS)
      expect(body.length).toBeLessThanOrEqual(MAX_BYTES)
      const card = cardOf(body)
      for (const { type, inlines } of card.body) {
        expect(type).toBe('RichTextBlock')
        for (const run of inlines) {
          expect(run.type).toBe('TextRun')
          expect(run.text).not.toMatch(/[<>\n\r]/)
          expect(run.text).not.toMatch(/https?:\/\//i)
        }
      }
      for (const { url } of card.actions) expect(url.startsWith(LINKS.console)).toBe(true)
    }),
    { numRuns: 150 },
  )
})
