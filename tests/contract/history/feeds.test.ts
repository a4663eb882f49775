import { onOneStore } from '../../builders/history/shared.ts'
import { collectionRenewals } from './writes/collection-renewals.ts'
import { collectionsOfFeeds } from './writes/collections.ts'
import { feedClaims } from './writes/feed-claims.ts'
import { feedLists } from './writes/feed-lists.ts'
import { feedRenewals } from './writes/feed-renewals.ts'
import { listsOfFeeds } from './writes/feeds-out.ts'

/** Lists and collections of feeds, on one engine, each part with a database of its own. */
onOneStore({
  'the collections of feeds': collectionsOfFeeds,
  'claims of collections over time': collectionRenewals,
  'who writes the lists of feeds': feedClaims,
  'what readers of feeds are given': feedLists,
  'a list that is copied to another epoch': feedRenewals,
  'lists of feeds': listsOfFeeds,
})
