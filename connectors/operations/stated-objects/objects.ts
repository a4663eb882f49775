import {
  objectMessage,
  pairOf,
  readObjectRecord,
  rememberedId,
  type StatedObject,
  takenMessage,
} from '../../../schemas/intelligence/observations/stated-object.ts'
import { FEED_OBJECTS } from '../../../schemas/log/topics.ts'
import type { EventLog, OutgoingMessage } from '../../log/port.ts'
import { MAX_ASKED, type ObjectEntry, type StatedObjects } from './port.ts'

const STEP = 10_000
const STEP_BYTES = 16 * 1024 * 1024

/** The objects over their topic. What cannot be read is passed over. */
export function logStatedObjects(log: Pick<EventLog, 'offsets' | 'read' | 'send'>): StatedObjects {
  const boundsOf = async () => (await log.offsets(FEED_OBJECTS)).find(({ partition }) => partition === 0)

  async function read(visit: (entry: ObjectEntry) => void, signal?: AbortSignal): Promise<number> {
    const { low = 0, high = 0 } = (await boundsOf()) ?? {}
    for (let next = low; next < high; ) {
      signal?.throwIfAborted()
      const messages = await log.read(FEED_OBJECTS, 0, next, high, STEP, STEP_BYTES)
      for (const { key, value, offset } of messages) {
        const record = value === null ? null : readObjectRecord(key?.toString() ?? '', value)
        if (record?.kind === 'object') visit({ offset, object: record.object })
        else if (record?.kind === 'taken') visit({ offset, taken: record.taken })
      }
      // Nothing below the high watermark: compaction took the rest.
      next = (messages.at(-1)?.offset ?? high - 1) + 1
    }
    return high
  }

  async function send(messages: readonly OutgoingMessage[]): Promise<void> {
    if (messages.length > 0) await log.send([{ topic: FEED_OBJECTS, messages }])
  }

  return {
    read,
    async end() {
      return (await boundsOf())?.high ?? 0
    },
    async find(source, ids) {
      if (ids.size > MAX_ASKED) throw new RangeError(`more than ${MAX_ASKED} objects at once`)
      const found = new Map<string, { offset: number; object: StatedObject }>()
      if (ids.size === 0) return new Map()
      const wanted = new Set([...ids].map(rememberedId))
      await read((entry) => {
        if ('object' in entry) {
          const { offset, object } = entry
          if (object.source === source && wanted.has(object.id)) found.set(object.id, { offset, object })
          return
        }
        const known = entry.taken.source === source ? found.get(entry.taken.id) : undefined
        if (known !== undefined && known.offset === entry.taken.offset)
          known.object = withoutTaken(known.object, new Set(entry.taken.pairs))
      })
      return new Map([...found].map(([id, { object }]) => [id, object]))
    },
    put: (objects) => send(objects.map(objectMessage)),
    tookBack: (taken) => send(taken.map(takenMessage)),
  }
}

/** The object without what was taken back, of what is gone and of claims that have ended. */
export function withoutTaken(object: StatedObject, pairs: ReadonlySet<string>): StatedObject {
  const left = (claims: StatedObject['claims']) => claims.filter((claim) => !pairs.has(pairOf(claim)))
  return { ...object, claims: left(object.claims), gone: left(object.gone) }
}
