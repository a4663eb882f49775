import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slackBody, slackText } from '../../../../../../schemas/casework/deliveries/bodies/slack.ts'
import { alertItem, created, digest, hostileMessage, LINKS } from '../../../../../builders/scans/alert-items.ts'

type Section = { type: string; text: { type: string; text: string; verbatim: boolean } }

const read = (...given: Parameters<typeof slackBody>) =>
  JSON.parse(slackBody(...given).toString()) as { text: string; blocks: Section[] }

test('the three characters that mean something to Slack are escaped', () => {
  expect(slackText('<!channel> & <@U1>')).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt;')
})

test('an alert is a text and blocks in which its values are defanged, with a link of ours', () => {
  const { text, blocks } = read(
    created({ entityValue: 'evil.example', entityType: 'domain', matchedOn: '<!here>' }),
    LINKS,
  )
  expect(text).toBe('Harrier alert: domain evil[.]example')
  const all = blocks.map((block) => block.text.text)
  expect(all[0]).toBe('`Harrier alert: domain evil[.]example`')
  expect(all[1]).toContain('`Reputation` `Alarming (-3)`')
  expect(all[1]).toContain('`Matched` `value &lt;!here&gt;`')
  expect(all.at(-1)).toBe(`<https://harrier.example.com/entity/${alertItem().entityID}|Open in Harrier>`)
})

test('a digest tells of twenty alerts and counts the rest', () => {
  const { text, blocks } = read(
    digest(
      Array.from({ length: 100 }, () => alertItem()),
      5_000,
    ),
    LINKS,
  )
  expect(text).toBe('Harrier: 5000 alerts')
  const lines = blocks.slice(1, -1).flatMap((block) => block.text.text.split('\n'))
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toBe('`More` `4980`')
  expect(blocks.at(-1)!.text.text).toBe('<https://harrier.example.com/alerts|All alerts>')
})

test('whatever an alert says, nobody is mentioned, nothing is a link but ours, and Slack takes the size', () => {
  fc.assert(
    fc.property(hostileMessage, (message) => {
      const { text, blocks } = read(message, LINKS)
      expect(blocks.length).toBeLessThanOrEqual(50)
      const ours = blocks.at(-1)!.text.text
      expect(ours).toMatch(/^<https:\/\/harrier\.example\.com\/[^<>|]*\|[A-Za-z ]+>$/)
      for (const told of [text, ...blocks.slice(0, -1).map((block) => block.text.text)]) {
        expect(told.length).toBeGreaterThan(0)
        expect(told.length).toBeLessThanOrEqual(3_000)
        expect(told).not.toMatch(/[<>]/)
        expect(told).not.toMatch(/&(?!amp;|lt;|gt;)/)
        expect(told).not.toMatch(/https?:\/\//i)
      }
      for (const { text: section } of blocks.slice(0, -1))
        for (const line of section.text.split('\n')) expect(line).toMatch(/^`[^`]*`(?: `[^`]*`)?$/u)
    }),
    { numRuns: 150 },
  )
})
