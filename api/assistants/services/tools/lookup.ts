import { Type } from 'typebox'
import { quoted } from '../../../../schemas/assistants/cleaned.ts'
import { extractIndicators } from '../../../../schemas/intelligence/extract/extract.ts'
import type { Indicator, LeftOut } from '../../../../schemas/intelligence/extract/indicator.ts'
import { invalid } from '../../../http/errors.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { type CoveringAnswer, type EntityAnswer, shownCovering, shownEntity } from '../shown-entity.ts'
import { tool } from '../tool.ts'

type Answer = {
  items: number
  missing: number
  unrecognised: readonly string[]
  results: readonly { value: string; entities: readonly EntityAnswer[]; coveredBy?: readonly CoveringAnswer[] }[]
}

const MAX_VALUES = 100
/** UTF-16 code units of a text. */
const MAX_TEXT = 65_536

export const lookup = tool({
  name: 'lookup',
  title: 'Look up values, or the indicators of a text',
  description:
    'Current knowledge about up to 100 values, or about the first 100 indicators in a text such as a log, an email or a report: addresses, networks, domains, URLs, hashes, email addresses, CVE numbers. Each entity has a reputation from -3 (malicious) to 3 (benign) and an accuracy from 0 to 3. For a text, the answer also has the lines of each indicator, counted from 1.',
  scope: 'search',
  input: Type.Object(
    {
      values: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 2_048 }), {
          minItems: 1,
          maxItems: MAX_VALUES,
          description: 'the values, of any type and spelling, defanged or not; instead of text',
        }),
      ),
      text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_TEXT,
          description: 'any text; its indicators are found, defanged or not; instead of values',
        }),
      ),
    },
    CLOSED,
  ),
  async find({ ask }, { values, text }) {
    if (values !== undefined && text !== undefined) throw invalid('text', 'cannot be combined with values')
    if (text === undefined && values === undefined) throw invalid('values', 'is required, or text')
    const read = text === undefined ? null : extractIndicators(text, { most: MAX_VALUES })
    const asked = read === null ? values! : [...new Set(read.indicators.map(({ value }) => value))]
    const answer = asked.length === 0 ? NOTHING : ((await ask('lookup', { body: { values: asked } })) as Answer)
    const lines = linesOf(read?.indicators ?? [])
    const known = new Set(answer.results.map(({ value }) => value))
    const unknown = (read?.indicators ?? []).filter(({ value }) => !known.has(value))
    return {
      head: {
        ...(read !== null && { indicators: read.indicators.length, leftOut: leftOutOf(read.left) }),
        found: answer.items,
        missing: answer.missing,
      },
      lists: {
        results: answer.results.flatMap(({ value, entities }) =>
          entities.map((entity) => ({ asked: quoted(value), ...lines.get(value), ...shownEntity(entity) })),
        ),
        coveredBy: answer.results.flatMap(({ value, coveredBy = [] }) =>
          coveredBy.map((network) => ({ asked: quoted(value), ...lines.get(value), ...shownCovering(network) })),
        ),
        unrecognised: answer.unrecognised.map(quoted),
        ...(read !== null && { unknown: unknown.map((one) => ({ asked: quoted(one.value), lines: one.lines })) }),
      },
      tail: (_, truncated) =>
        truncated ? { more: `Call again with ${text === undefined ? 'fewer values' : 'a shorter text'}.` } : {},
    }
  },
})

const NOTHING: Answer = { items: 0, missing: 0, unrecognised: [], results: [] }

/** The lines in which each value stands. */
const linesOf = (indicators: readonly Indicator[]): Map<string, { lines: number[] }> =>
  new Map(indicators.map(({ value, lines }) => [value, { lines }]))

/** How much of the text was not asked about. */
const leftOutOf = ({ notPublic, tooLong, tooMany }: LeftOut) => ({ notPublic, tooLong, tooMany })
