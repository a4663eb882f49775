import { hash } from 'node:crypto'
import type { Said } from '../../../connectors/feeds/statements/port.ts'
import { expand } from '../../../schemas/intelligence/ingest/expand.ts'
import type { Invalid } from '../../../schemas/intelligence/ingest/invalid.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { Admitted } from '../admit.ts'

/** Ids are given when a statement is sent. */
const NO_IDS = { submissionId: '', nextId: () => '' }

/** A part of an event as it would be sent: what makes it the same as another, and what it says of which entity. */
export type Stated = { digest: string; said: (Said & { isPlain: boolean })[] }

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
