import { decoder, schemaIdOf } from '../../../schemas/log/codec.ts'
import { typeOf } from '../../../schemas/log/records.ts'
import { BURYING, deadTopic } from '../../../schemas/log/topics.ts'
import type { EventLog } from '../../log/port.ts'
import type { Registry } from '../../registry/port.ts'
import type { DeadLetterEntry } from './entries.ts'
import { deadLetterHandling } from './handle.ts'
import { deadLetterLookup } from './lookup.ts'
import { BadSelection, type DeadLetter, type DeadLetters, MAX_PAGE, type Payload } from './port.ts'
import { matchesQuery } from './select.ts'

/** Of a payload that cannot be decoded, this many bytes are shown. */
const SHOWN_BYTES = 4096

/**
 * The content of a record of `topic`, or the reason why it cannot be decoded together with its first bytes. Never
 * rejects.
 */
export async function payloadOf(registry: Registry, topic: string, value: Buffer | null): Promise<Payload> {
  if (value === null) return asBytes(Buffer.alloc(0), 'a tombstone has no bytes')
  const reader = typeOf(topic)
  if (reader === undefined) return asBytes(value, 'the records of its topic have no known format')
  const id = schemaIdOf(value)
  try {
    if (id !== null) await registry.schema(id)
  } catch (error) {
    return asBytes(value, (error as Error).message)
  }
  const decoded = decoder<unknown>(reader, registry.known)(value)
  if (!decoded.ok) return asBytes(value, decoded.reason)
  // Converts the class instance to plain JSON and drops values that JSON cannot express.
  return { kind: 'record', record: JSON.parse(JSON.stringify(decoded.record)) }
}

function asBytes(value: Buffer, fault: string): Payload {
  const shown = value.subarray(0, SHOWN_BYTES)
  return { kind: 'bytes', fault, hex: shown.toString('hex'), text: printable(shown) }
}

/** Removes control characters, which would act on a terminal. */
const printable = (bytes: Buffer): string => bytes.toString('utf8').replace(/[^\P{C}\n\t]/gu, '\ufffd')

type Ports = { log: Pick<EventLog, 'offsets' | 'read' | 'send'>; registry: Registry; now: () => number }

/** The dead letters of every topic, stored on the log. */
export function deadLetterBox({ log, registry, now }: Ports): DeadLetters {
  const lookup = deadLetterLookup(log)
  const { outcomes, entriesOf, find, withOutcome } = lookup

  async function startAfter(sorted: readonly DeadLetterEntry[], after: string): Promise<number> {
    const last = await find(after)
    if (last === undefined) throw new BadSelection(`no such dead letter: "${after}" (after)`)
    const beyond = sorted.findIndex((entry) => newestFirst(last, entry) < 0)
    return beyond < 0 ? sorted.length : beyond
  }

  return {
    ...deadLetterHandling({ log, lookup, now }),

    async list({ topic, ...query }) {
      await outcomes.refresh()
      const given = await Promise.all((topic === undefined ? BURYING : [topic]).map(entriesOf))
      const found = given.flatMap((entries) => entries.filter((entry) => matchesQuery(entry, query)))
      const sorted = found.sort(newestFirst)
      const from = query.after === undefined ? 0 : await startAfter(sorted, query.after)
      const letters: DeadLetter[] = []
      const limit = Math.min(query.limit, MAX_PAGE)
      let i = from
      for (; i < sorted.length && letters.length < limit; i++) {
        const letter = withOutcome(sorted[i]!)
        if (query.state === undefined || letter.state === query.state) letters.push(letter)
      }
      return { letters, next: i < sorted.length ? (letters.at(-1)?.id ?? null) : null }
    },

    async show(id) {
      await outcomes.refresh()
      const entry = await find(id)
      if (entry === undefined) return null
      const { topic, partition, offset } = entry.place
      const [message] = await log.read(deadTopic(topic), partition, offset, offset + 1, 1)
      if (message === undefined) return null
      const payload = await payloadOf(registry, topic, message.value)
      return { ...withOutcome(entry), headers: message.headers, payload }
    },

    async waiting() {
      await outcomes.refresh()
      const counted = new Map<string, number>()
      for (const topic of BURYING) {
        const entries = await entriesOf(topic)
        counted.set(topic, entries.filter(({ id }) => outcomes.of(id) === null).length)
      }
      return counted
    },
  }
}

const newestFirst = (a: DeadLetterEntry, b: DeadLetterEntry): number =>
  b.buriedAt - a.buriedAt ||
  (a.place.topic < b.place.topic ? -1 : Number(a.place.topic > b.place.topic)) ||
  a.place.partition - b.place.partition ||
  b.place.offset - a.place.offset
