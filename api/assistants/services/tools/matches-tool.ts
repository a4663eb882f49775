import { Type } from 'typebox'
import { quoted, quotedTags } from '../../../../schemas/assistants/cleaned.ts'
import { MAX_CURSOR } from '../../../../schemas/cursors/seal.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { subject, subjectId } from '../entity-subject.ts'
import { tool } from '../tool.ts'

type Entity = { id: string; type: string; value: string; reputation: number; accuracy: number; tags: readonly string[] }
type Event = Record<string, unknown> & {
  kind: string | null
  host?: string
  user?: string
  field: string
  value: string
  refs: readonly string[]
}
type Match = Record<string, unknown> & { entity: Entity; field?: string; withdrawnReason?: string; event?: Event }
type Answer = { items: readonly Match[]; cursor: string | null }

export const matches = tool({
  name: 'matches',
  title: 'List matches of telemetry',
  description:
    'Matches of the telemetry of the caller (events that its sensors sent) with known indicators, newest first. Requires the credentials of a user.',
  scope: 'match',
  input: Type.Object(
    {
      ...subject,
      since: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'matched at this time or later: ISO 8601 or unix milliseconds',
        }),
      ),
      direction: Type.Optional(
        Type.Enum(['forward', 'retro'], {
          description: 'forward: the indicator was known before the event; retro: the event came first',
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'matches of a page; default: 20' })),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_CURSOR,
          description: 'cursor of the previous page, with the same other arguments',
        }),
      ),
    },
    CLOSED,
  ),
  async find({ ask }, { since, direction, limit = 20, cursor: from, ...named }) {
    const entity = Object.keys(named).length === 0 ? undefined : subjectId(named)
    const query = { since, direction, limit, cursor: from, entity }
    const { items, cursor } = (await ask('matches', { query })) as Answer
    return {
      head: {},
      lists: { items: items.map(shownMatch) },
      // A cursor stands behind the whole page: what was left out of it would be skipped.
      tail: (shown, truncated) =>
        truncated
          ? { more: `Call again with limit ${Math.max(1, shown.items!)}; then continue with the cursor.` }
          : { cursor },
    }
  },
})

const shownMatch = ({ entity, event, field, withdrawnReason, ...match }: Match) => ({
  ...match,
  entity: { ...entity, value: quoted(entity.value), ...quotedTags(entity.tags) },
  ...(field !== undefined && { field: quoted(field) }),
  ...(withdrawnReason !== undefined && { withdrawnReason: quoted(withdrawnReason) }),
  ...(event !== undefined && { event: shownEvent(event) }),
})

const MAX_REFS = 20

const shownEvent = ({ kind, host, user, field, value, refs, ...event }: Event) => ({
  ...event,
  kind: kind === null ? null : quoted(kind),
  ...(host !== undefined && { host: quoted(host) }),
  ...(user !== undefined && { user: quoted(user) }),
  field: quoted(field),
  value: quoted(value),
  refs: refs.slice(0, MAX_REFS).map(quoted),
})
