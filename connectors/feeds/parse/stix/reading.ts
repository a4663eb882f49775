import type { Json } from '../document.ts'
import type { Named } from '../entity.ts'
import type { During } from './pattern/words.ts'

/** One entity that a STIX object stands for. */
export type StixEntity = Named & {
  attributes: Record<string, string>
  /** Stated to be bad, not only seen. */
  malicious: boolean
  /** What belongs to it: the digests of a file, the aliases of a group. */
  parts?: Named[]
  /** When it counts, besides what the object says of that. */
  during?: During
}

/**
 * An object's entities (the first stands for it in relationships), with why others of it cannot be read; or why it has none;
 * null: it is about the feed.
 */
export type Reading = { entities: StixEntity[]; unread?: string[] } | { reason: string } | null

/** The object of an id, if the document has it. */
export type Lookup = (id: string) => Json | undefined

/** A reading of one entity that was only seen. */
export const seen = (named: Named, attributes: Record<string, string> = {}, parts: Named[] = []): Reading => ({
  entities: [{ ...named, attributes, malicious: false, ...(parts.length === 0 ? {} : { parts }) }],
})
