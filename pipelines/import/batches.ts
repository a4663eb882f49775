import type { AcceptedItem, RejectedItem } from '../../connectors/feeds/parse/item.ts'
import { withoutOddParts } from '../../connectors/feeds/parse/usable-parts.ts'
import type { OutgoingMessage } from '../../connectors/log/port.ts'
import { type Expanded, expand, type Identifiers } from '../../schemas/intelligence/ingest/expand.ts'
import type { Invalid } from '../../schemas/intelligence/ingest/invalid.ts'
import type { Observation, Provenance, SubmittedEntity } from '../../schemas/intelligence/observations/observation.ts'
import { objectMessage, type StatedObject } from '../../schemas/intelligence/observations/stated-object.ts'
import type { ImportIds } from './import-ids.ts'

/** What is published at once: the lines up to `line`, and the rest of the lines before. */
export type ImportBatch = {
  messages: OutgoingMessage[]
  /** What objects of the feed claim from now on. */
  objects: OutgoingMessage[]
  rejected: RejectedItem[]
  /** Observations, those that an earlier run published among them. */
  observations: number
  line: number
}

/** An item may change what is known of the object that states it; one that only does that has no entity. */
export type BatchItem<Item> = (Item | RejectedItem | { line: number }) & { remembers?: StatedObject }

export type BatchOptions<Item> = {
  ids: ImportIds
  provenanceOf: (item: Item) => Provenance
  encode: (observation: Observation) => Buffer
  /** Lines up to this one are left out. */
  after: number
  /** Ids of observations that are in the log already. */
  published: ReadonlySet<string>
  /** A batch is closed at this many observations or bytes, whatever comes first. */
  maxObservations: number
  maxBytes: number
}

/**
 * Encoded observations of a feed (their time: ADR 273) in batches of whole lines. The items of one line are one submission, so
 * that their ids differ; a group has them all (ADR 255). A line that ingest refuses is rejected.
 */
export async function* batches<Item extends AcceptedItem>(
  groups: AsyncIterable<BatchItem<Item>[]>,
  options: BatchOptions<Item>,
): AsyncGenerator<ImportBatch> {
  const { ids, provenanceOf, encode, after, published, maxObservations, maxBytes } = options
  let batch = emptyBatch()
  let bytes = 0
  let submission: Identifiers | undefined
  for await (const items of groups) {
    for (const [i, item] of items.entries()) {
      if (item.line <= after) continue
      if (submission === undefined || item.line !== batch.line) submission = ids.of(item.line)
      batch.line = item.line
      if (item.remembers !== undefined) {
        const message = objectMessage(item.remembers)
        bytes += message.value.length
        batch.objects.push(message)
      }
      if ('rejected' in item) {
        batch.rejected.push(item)
      } else if ('entity' in item) {
        const of = submission
        const expanded = expandUsable(item, batch.rejected, (entity) => expand(entity, provenanceOf(item), of))
        if (expanded.ok) {
          batch.observations += expanded.observations.length
          for (const observation of expanded.observations) {
            if (published.has(observation.id)) continue
            const value = encode(observation)
            bytes += value.length
            batch.messages.push({ key: observation.entityId, value, checked: true })
          }
        } else {
          const raw = String(item.entity.attributes[item.entity.type])
          batch.rejected.push({ line: item.line, rejected: expanded.message, raw })
        }
      }
      // A line is never in two batches: a resumed run goes on after it.
      if (items[i + 1]?.line === item.line) continue
      if (batch.observations + batch.rejected.length + batch.objects.length < maxObservations && bytes < maxBytes)
        continue
      yield batch
      batch = emptyBatch()
      bytes = 0
    }
  }
  if (batch.line > 0) yield batch
}

/** Of an item that is refused for a part of it, the rest; the part is rejected alone. */
function expandUsable(
  { entity, line }: AcceptedItem,
  odd: RejectedItem[],
  expanded: (entity: SubmittedEntity) => Expanded | Invalid,
): Expanded | Invalid {
  const whole = expanded(entity)
  if (whole.ok) return whole
  const { entity: rest, lost } = withoutOddParts(entity)
  if (lost.length === 0) return whole
  const usable = expanded(rest)
  if (usable.ok) for (const part of lost) odd.push({ ...part, line })
  return usable
}

const emptyBatch = (): ImportBatch => ({ messages: [], objects: [], rejected: [], observations: 0, line: 0 })
