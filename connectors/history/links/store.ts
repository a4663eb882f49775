import type { Stated } from '../../../schemas/intelligence/observations/relation.ts'
import type { History } from '../port.ts'
import { type FirstLinkRow, firstLinks } from '../sql/queries/relations.ts'
import { type LinkStore, MOST_LINKS } from './port.ts'
import { readRelations } from './relations.ts'

/** Links of one statement: some 160 bytes each in its parameters. */
const LINKS_A_QUERY = 1_000

/** Reads of links in the tables of `history`: those that are live when it is the live history. */
export const linkStore = (history: Pick<History, 'query'>): LinkStore => ({
  async firstOffsets(links, audiences, signal) {
    if (links.length > MOST_LINKS) throw new RangeError(`more than ${MOST_LINKS} links: ${links.length}`)
    const first = new Map<string, number>()
    if (audiences.length > 0)
      for (let i = 0; i < links.length; i += LINKS_A_QUERY) {
        const some = firstLinks(links.slice(i, i + LINKS_A_QUERY), audiences)
        // A version is the offset after that of its record.
        for (const { entity_id, related_id, mode, version } of await history.query<FirstLinkRow>(some, signal))
          first.set(nameOf({ source: entity_id, target: related_id, mode }), Number(version) - 1)
      }
    return links.map((link) => first.get(nameOf(link)) ?? null)
  },

  relationsOf: (entityIds, audiences, bounds = {}, signal) =>
    readRelations(history, entityIds, audiences, bounds, signal),
})

const nameOf = ({ source, target, mode }: Stated): string => `${mode} ${source} ${target}`
