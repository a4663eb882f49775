import { Type } from 'typebox'
import { quoted } from '../../../../schemas/assistants/cleaned.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { tool } from '../tool.ts'

type Scorecard = Record<string, unknown> & { source: string | null }
type Answer = { items: readonly Scorecard[]; sources: number; window: { days: number } }

export const sources = tool({
  name: 'sources',
  title: 'List sources',
  description:
    'How the sources of reports perform: volume, how much of it is unique or first, how often other sources agree or contradict. Customers and users are named only to themselves and to administrators.',
  scope: 'read',
  input: Type.Object(
    {
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 365, description: 'days that volume covers; default: 30' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'sources, those with the largest volume; default: 20' }),
      ),
    },
    CLOSED,
  ),
  async find({ ask }, { days, limit = 20 }) {
    const answer = (await ask('sources', { query: { days, limit } })) as Answer
    return {
      head: { total: answer.sources, days: answer.window.days },
      lists: {
        items: answer.items.map(({ source, ...card }) => ({
          source: source === null ? null : quoted(source),
          ...card,
        })),
      },
      tail: (_, truncated) =>
        truncated ? { more: 'All sources are at GET /api/analytics/v1/sources of the API.' } : {},
    }
  },
})
