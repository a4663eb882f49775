import type { StixItem, StixRelation } from '../../../schemas/exchange/stix/item.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { compileSelector } from '../../../schemas/intelligence/selectors/compile.ts'
import { type EntityView, fold } from '../../../schemas/intelligence/state/entity-view.ts'
import { linkStore } from '../links/link-store.ts'
import { MOST_ENTITIES } from '../links/port.ts'
import type { History } from '../port.ts'
import { observationStore } from '../stores/observations.ts'
import type { ChosenViews } from './chosen.ts'
import { viewReader } from './view-reader.ts'

/**
 * The same items with their relations to others that are chosen too, as the reader sees them and as the items stated them:
 * of each the newest 100 (decisions 15.3). A relation to an entity that is not chosen would lead out of the document.
 * @param pages what `chosenViews` gives for the same choice
 */
export async function* withRelations(
  history: History,
  pages: AsyncIterable<readonly FeedItem[]>,
  { groups, selector, rules, now }: ChosenViews,
): AsyncGenerator<readonly (FeedItem & StixItem)[]> {
  const { audiences } = await viewReader(history, groups)
  const read = new Set(audiences)
  const links = linkStore(history)
  const store = observationStore(history)
  const compiled = compileSelector(selector)

  /** Views of those that are chosen, by id. */
  async function chosen(ids: readonly string[]): Promise<Map<string, EntityView>> {
    if (ids.length === 0) return new Map()
    const rows = (await store.rowsOf(ids)).filter(({ audience, retracted }) => read.has(audience) && !retracted)
    const views = [...Map.groupBy(rows, ({ entityId }) => entityId).values()].map((own) => fold(own, rules))
    const held = views.filter((view) => compiled.holds({ ...view, retracted: false }, now))
    return new Map(held.map((view) => [view.entityId, view]))
  }

  for await (const page of pages)
    for (let from = 0; from < page.length; from += MOST_ENTITIES) {
      const items = page.slice(from, from + MOST_ENTITIES)
      const ids = items.map(({ entityId }) => entityId)
      const { relations } = await links.relationsOf(ids, audiences)
      const ends = await chosen([...new Set(relations.map(({ to }) => to.entityId))])
      const stated = Map.groupBy(relations, ({ of }) => of)
      yield items.map((item) => {
        const said = new Map<string, StixRelation>()
        for (const { to, relationship } of stated.get(item.entityId) ?? []) {
          const other = ends.get(to.entityId)
          // A link has a mode, which no document says: stated with both it is one relation.
          if (other !== undefined) said.set(`${to.entityId} ${relationship ?? ''}`, { other, relationship })
        }
        return Object.assign({}, item, { relations: [...said.values()] })
      })
    }
}
