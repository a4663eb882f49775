import { type FeedHead, stateOf } from '../../../schemas/feeds-out/head.ts'
import type { History } from '../port.ts'
import {
  type DifferenceRow,
  differencesOf,
  type SequenceRow,
  type ShapeRow,
  sequenceOf,
  shapeOf,
} from '../sql/feeds-out/checks-sql.ts'
import { headsOfFeeds } from '../sql/feeds-out/lists.ts'
import { headById, headIn, headsBy } from './heads.ts'
import type { FeedChecks, ListFault } from './port.ts'
import { viewReader } from './view-reader.ts'

/**
 * Compares lists with what they are to be (ADR 274). It writes nothing.
 * @param home the database that belongs to no generation, opened under its name `database`
 */
export function feedChecks(home: History, database: string): FeedChecks {
  /** What the head says beside what the members are, and the order at the end of a list with a cap. */
  async function shapeFaults(of: FeedHead): Promise<ListFault[]> {
    const [row] = await home.query<ShapeRow>(shapeOf(of.feed.id, of.epoch))
    // The epoch was removed meanwhile: another look finds the newer one.
    if (row!.head === '') return [{ kind: 'gone', text: `its list ${of.epoch} is not stored` }]
    const { feed, items, inside, held } = headIn({ head: row!.head })
    const listed = Number(row!.items)
    const members = Number(row!.inside)
    const faults: ListFault[] = []
    if (listed !== items)
      faults.push({ kind: 'items', text: `the head of the list counts ${items} items, but ${listed} are listed` })
    if (held === null && members !== inside)
      faults.push({
        kind: 'inside',
        text: `the head of the list counts ${inside} selected entities, but ${members} are stored`,
      })
    const room = feed.cap ?? Number.POSITIVE_INFINITY
    if (listed !== Math.min(members, room) && held === null)
      faults.push({ kind: 'cap', text: `${listed} of ${members} entities are listed, but the cap is ${feed.cap}` })
    if (row!.misplaced === 1)
      faults.push({ kind: 'order', text: 'the cap leaves out an entity that ranks before a listed one' })
    return faults
  }

  async function sequenceFaults({ feed, sequence }: FeedHead): Promise<ListFault[]> {
    const [row] = await home.query<SequenceRow>(sequenceOf(feed.id, sequence))
    const [n, first, last] = [Number(row!.n), Number(row!.first), Number(row!.last)]
    if (n === 0 || (last === sequence && n === last - first + 1)) return []
    return [{ kind: 'gap', text: `the deltas ${first} to ${sequence} have gaps: ${n} are stored, up to ${last}` }]
  }

  return {
    heads: () => headsBy(home, headsOfFeeds),
    head: (feed) => headById(home, feed),

    async faults(head, { database: live, rules, now }, limit) {
      const { feed, epoch } = head
      const faults = [...(await shapeFaults(head)), ...(await sequenceFaults(head))]
      if (stateOf(head) !== 'live') return faults
      const history = home.at(live)
      const chosen = { reader: await viewReader(history, feed.groups), rules, selector: feed.selector, now }
      const query = differencesOf({ home: database, feed: feed.id, epoch }, chosen, limit)
      const rows = await history.query<DifferenceRow>(query)
      return [
        ...faults,
        ...rows.map(({ entity_id: id, difference }) => ({
          kind: `${difference} ${id}`,
          text: `${id} ${WORDS[difference]}`,
        })),
      ]
    },
  }
}

const WORDS: Readonly<Record<string, string>> = {
  missing: 'is selected but not in the list',
  extra: 'is in the list but not selected',
  other: 'is in the list with a different reputation, accuracy or tags',
}
