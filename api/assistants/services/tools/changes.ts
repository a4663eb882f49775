import { Type } from 'typebox'
import { quoted, quotedTags } from '../../../../schemas/assistants/cleaned.ts'
import { CHANGE_KINDS } from '../../../../schemas/intelligence/state/view-change.ts'
import type { ChangeEvent } from '../../../../schemas/live/change-event.ts'
import { MAX_STREAM_CURSOR } from '../../../../schemas/live/stream-cursor.ts'
import { StreamBody } from '../../../http/answers/stream-body.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { firstChanges } from '../first-changes.ts'
import { tool } from '../tool.ts'

const LINES = 'application/x-ndjson'
const HOUR_MS = 3_600_000

const words = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256, pattern: '^[^,]*$' }), {
      minItems: 1,
      maxItems: 50,
      description,
    }),
  )

export const changes = tool({
  name: 'changes',
  title: 'List what changed',
  description:
    'Changes of entities that the caller may read, since a time or a cursor: new entities, changed scores, tags, marks and relations. Uses one of the live streams of the caller while it reads.',
  scope: 'read',
  input: Type.Object(
    {
      since: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_STREAM_CURSOR,
          description:
            'a time within 7 days (ISO 8601), or the cursor of the previous answer with the same other arguments; default: an hour ago',
        }),
      ),
      kinds: Type.Optional(
        Type.Array(Type.Enum([...CHANGE_KINDS]), {
          minItems: 1,
          maxItems: CHANGE_KINDS.length,
          description: 'any of these kinds',
        }),
      ),
      types: words('any of these entity types'),
      tags: words('any of these tags'),
      reputationAtMost: Type.Optional(
        Type.Integer({ minimum: -3, maximum: 3, description: 'reputation of at most this after the change' }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'changes; default: 20' })),
    },
    CLOSED,
  ),
  async find({ ask, now, signal }, { since, kinds, types, tags, reputationAtMost, limit = 20 }) {
    const query = {
      since: since ?? new Date(now - HOUR_MS).toISOString(),
      kinds: kinds?.join(','),
      types: types?.join(','),
      tags: tags?.join(','),
      reputationAtMost,
    }
    const body = await ask('changes', { query, media: LINES })
    if (!(body instanceof StreamBody)) throw new Error('changes are told by a stream')
    const { changes: told, cursor, isAll } = await firstChanges(body.start, { limit, signal })
    return {
      head: {},
      lists: { items: told.map(({ data }) => shownChange(data)) },
      tail(shown, truncated) {
        const last = truncated ? (told[shown.items! - 1]?.cursor ?? query.since) : (cursor ?? query.since)
        return truncated || !isAll
          ? { cursor: last, more: 'Call again with this cursor as since.', caughtUp: false }
          : { cursor: last, caughtUp: true }
      },
    }
  },
})

const shownChange = ({ entity, ...change }: ChangeEvent) => ({
  ...change,
  entity: { ...entity, value: quoted(entity.value), ...quotedTags(entity.tags) },
})
