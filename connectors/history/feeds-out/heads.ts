import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { History, Query } from '../port.ts'
import { headsOf } from '../sql/feeds-out/lists.ts'

type HeadRow = { head: string }

export const headIn = ({ head }: HeadRow): FeedHead => JSON.parse(head) as FeedHead

/** The heads that a query finds. */
export const headsBy = async (home: Pick<History, 'query'>, query: Query): Promise<FeedHead[]> =>
  (await home.query<HeadRow>(query)).map(headIn)

/** null: the job has not stored the feed yet. */
export const headById = async (home: Pick<History, 'query'>, feed: string): Promise<FeedHead | null> =>
  (await headsBy(home, headsOf([feed])))[0] ?? null
