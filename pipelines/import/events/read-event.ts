import { hash } from 'node:crypto'
import { type FeedItem, type RejectedItem, rejected } from '../../../connectors/feeds/parse/item.ts'
import type { Said, Statement, StatementStore } from '../../../connectors/feeds/statements/port.ts'
import { expand } from '../../../schemas/intelligence/ingest/expand.ts'
import type { Invalid } from '../../../schemas/intelligence/ingest/invalid.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { type AdmissionRules, type Admitted, admission } from '../admission.ts'

/** Ids are given when a statement is sent. */
const NO_IDS = { submissionId: '', nextId: () => '' }

/** A part of an event as it would be sent: what makes it the same as another, and what it says of which entity. */
type Stated = { digest: string; said: (Said & { isPlain: boolean })[] }

/** What an admitted item states; or why ingest refuses it. */
export function stated({ entity, provenance }: Admitted): Stated | Invalid {
  const expanded = expand(entity, provenance, NO_IDS)
  if (!expanded.ok) return expanded
  const { audience, trust, kind } = provenance
  const meaning = JSON.stringify([entity, audience, trust, kind])
  return { digest: hash('sha256', meaning, 'hex').slice(0, 32), said: expanded.observations.map(saidOf) }
}

/**
 * Two observations with one content say the same to the same readers: the jobs may take one for a repeat of the other, so
 * nothing stands in it that they do not compare. A plain one says that the entity was named.
 */
function saidOf(o: Observation): Stated['said'][number] {
  const attributes = Object.entries(o.attributes).sort(([a], [b]) => (a < b ? -1 : 1))
  const isPlain = o.reputation === null && o.tags.length === 0 && attributes.length === 0
  const content = JSON.stringify([o.audience, o.kind, o.reputation, o.tags, attributes])
  return { entityId: o.entityId, content: hash('sha256', content, 'hex').slice(0, 16), isPlain }
}

/** Moments that are tried for one statement: more than one event has reasons for. */
const MOST = 1_000

/**
 * Gives the statements of an event their times, in unix milliseconds from `base` on, so that two that say something of one
 * entity have different ones: a retraction is of one entity and one window, and takes back one of them alone. Only the mere
 * naming of an entity shares a moment with another naming.
 */
function moments(base: number): { of(statement: Stated): number; last(): number } {
  const plain = new Set<string>()
  const full = new Set<string>()
  let last = base
  return {
    of({ said }) {
      let at = base
      const isTaken = (): boolean =>
        said.some(({ entityId, isPlain }) => {
          const place = `${entityId} ${at}`
          return full.has(place) || (!isPlain && plain.has(place))
        })
      while (at < base + MOST && isTaken()) at++
      for (const { entityId, isPlain } of said) (isPlain ? plain : full).add(`${entityId} ${at}`)
      last = Math.max(last, at)
      return at
    },
    last: () => last,
  }
}

/** What of an event is to be sent, with the numbers of the statements; and what was refused. */
export type ReadEvent = { items: (Admitted | RejectedItem)[]; numbers: number[] }

export type EventReading = {
  place: string
  uuid: string
  stamp: number
  /** What the import was told, as a text: with another one all events are read again. */
  settings: string
  rules: Omit<AdmissionRules, 'observedAt'>
  /** Whether what was stated before is stated again. */
  restart: boolean
  /** Unix milliseconds, after all times of the feed before. */
  base: number
}

/**
 * Compares an event with what it stated before and keeps the difference: what is new is to be sent, what is gone to be taken
 * back (ADR 273). Of items that say the same, one is stated. Lines are those of the event.
 */
export function readEvent(store: StatementStore, items: readonly FeedItem[], reading: EventReading): ReadEvent {
  const { place, uuid, stamp, settings, rules, restart, base } = reading
  const admit = admission({ ...rules, observedAt: base })
  const times = moments(base)
  const known = store.statements(place, uuid)
  const stays = new Set<string>()
  const added: Statement[] = []
  const read: ReadEvent = { items: [], numbers: [] }
  let next = store.position().n

  for (const item of items) {
    // An event takes nothing back by name: what it states no more is gone.
    if ('withdrawn' in item) continue
    const admitted = admit(item)
    if ('rejected' in admitted) {
      read.items.push(admitted)
      continue
    }
    const statement = stated(admitted)
    if ('message' in statement) {
      const { type, attributes } = admitted.entity
      read.items.push(rejected(item.line, statement.message, String(attributes[type])))
      continue
    }
    const { digest, said } = statement
    if (stays.has(digest)) continue
    stays.add(digest)
    const before = restart ? undefined : known.get(digest)
    if (before?.sent === true) continue
    const at = before?.at ?? times.of(statement)
    const n = before?.n ?? ++next
    if (before === undefined) added.push({ n, digest, at, said })
    read.items.push({ ...admitted, provenance: { ...admitted.provenance, observedAt: at } })
    read.numbers.push(n)
  }
  const gone = [...known].filter(([digest]) => restart || !stays.has(digest)).map(([, { n }]) => n)
  store.replace(place, uuid, { stamp, settings }, { added, gone })
  return read
}
