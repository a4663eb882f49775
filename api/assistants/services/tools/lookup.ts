import { Type } from 'typebox'
import { quoted } from '../../../../schemas/assistants/cleaned.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { type CoveringAnswer, type EntityAnswer, shownCovering, shownEntity } from '../shown-entity.ts'
import { tool } from '../tool.ts'

type Answer = {
  items: number
  missing: number
  unrecognised: readonly string[]
  results: readonly { value: string; entities: readonly EntityAnswer[]; coveredBy?: readonly CoveringAnswer[] }[]
}

export const lookup = tool({
  name: 'lookup',
  title: 'Look up values',
  description:
    'Current knowledge about up to 100 values, for example from a log: addresses, networks, domains, URLs, hashes, email addresses. Each entity has a reputation from -3 (malicious) to 3 (benign) and an accuracy from 0 to 3.',
  scope: 'search',
  input: Type.Object(
    {
      values: Type.Array(Type.String({ minLength: 1, maxLength: 2_048 }), {
        minItems: 1,
        maxItems: 100,
        description: 'the values, of any type and spelling, defanged or not',
      }),
    },
    CLOSED,
  ),
  async find({ ask }, { values }) {
    const { items, missing, unrecognised, results } = (await ask('lookup', { body: { values } })) as Answer
    return {
      head: { found: items, missing },
      lists: {
        results: results.flatMap(({ value, entities }) =>
          entities.map((entity) => ({ asked: quoted(value), ...shownEntity(entity) })),
        ),
        coveredBy: results.flatMap(({ value, coveredBy = [] }) =>
          coveredBy.map((network) => ({ asked: quoted(value), ...shownCovering(network) })),
        ),
        unrecognised: unrecognised.map(quoted),
      },
      tail: (_, truncated) => (truncated ? { more: 'Call again with fewer values.' } : {}),
    }
  },
})
