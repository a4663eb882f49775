import type { Observation } from '../observations/observation.ts'

/** What an observation says, apart from who says it and when. */
export type Content = Pick<Observation, 'entityId' | 'type' | 'value' | 'attributes' | 'reputation' | 'tags' | 'links'>

/** Equal for equal contents, independent of the order of their members. */
const fingerprint = ({ entityId, attributes, reputation, tags, links }: Content): string =>
  JSON.stringify([
    entityId,
    reputation,
    tags,
    Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)),
    links.map((link) => `${link.mode} ${link.entityId} ${link.relationship ?? ''}`).sort(),
  ])

/** The contents without exact repetitions, each at its first place (decisions 3.4). */
export function distinct(contents: readonly Content[]): readonly Content[] {
  if (contents.length < 2) return contents
  const seen = new Set<string>()
  return contents.filter((content) => {
    const print = fingerprint(content)
    return !seen.has(print) && seen.add(print)
  })
}
