import { Type } from 'typebox'
import { quoted, quotedTags } from '../../../../schemas/assistants/cleaned.ts'
import { CHANGE_KINDS } from '../../../../schemas/intelligence/state/view-change.ts'
import type { ChangeEvent } from '../../../../schemas/live/change-event.ts'
import { MAX_STREAM_CURSOR } from '../../../../schemas/live/stream-cursor.ts'
import { type Sink, type Start, StreamBody } from '../../../http/answers/stream-body.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { tool } from '../tool.ts'

/** How long an answer waits for changes that are still read, in milliseconds. */
const MOST_MS = 10_000

type Line = { event: string; cursor: string; data: ChangeEvent }

type ToldChange = { cursor: string; data: ChangeEvent }

type FirstChanges = {
  changes: ToldChange[]
  /** Behind the last one; null: there is none yet. */
  cursor: string | null
  /** Whether that is everything up to now. */
  isAll: boolean
}

/**
 * The first changes of a stream of lines, which ends then: its place is free again. Resolves when there are so many, when
 * everything up to now was told, when the stream ends, or when its time is over.
 */
export async function firstChanges(
  start: Start,
  { limit, signal, mostMs = MOST_MS }: { limit: number; signal: AbortSignal; mostMs?: number },
): Promise<FirstChanges> {
  const found: FirstChanges = { changes: [], cursor: null, isAll: false }
  const over = new AbortController()
  const end = (): void => over.abort('gone')
  const timer = setTimeout(end, mostMs)
  const ended = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve(), { once: true }))
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })

  function take({ event, cursor, data }: Line): void {
    if (over.signal.aborted) return
    found.cursor = cursor
    if (event === 'change') found.changes.push({ cursor, data })
    found.isAll = event === 'caught-up'
    if (found.isAll || found.changes.length >= limit || event === 'lagging') end()
  }

  const sink: Sink = {
    write(text) {
      for (const line of text.toString().split('\n')) if (line !== '') take(JSON.parse(line) as Line)
    },
    // Everything is taken at once.
    buffered: () => 0,
    end,
    destroy: end,
    signal: over.signal,
    onDrain: (call) => queueMicrotask(call),
  }
  try {
    await start(sink)
    await ended
  } finally {
    end()
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  return found
}

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
