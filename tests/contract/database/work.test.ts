/** The suites of what callers store and what is done for them later, whole. */

import { suiteDatabase } from '../../builders/accounts/database/suites.ts'
import { bulkContract } from '../bulk/suite.ts'
import { commentsContract } from '../comments/suite.ts'
import { feedsOutContract } from '../feeds-out/suite.ts'
import { inboxContract } from '../inbox/suite.ts'
import { liveContract } from '../live/suite.ts'
import { outboxContract } from '../outbox/suite.ts'
import { scansContract } from '../scans/suite.ts'

const { name, open, another } = suiteDatabase(12)
const own = suiteDatabase(12, 'own')

bulkContract(`bulk requests, ${name}`, open, another)
inboxContract(`statuses of the inbox, ${name}`, open, another)
liveContract(`live streams, ${name}`, open, another)
commentsContract(`comments, ${name}`, open)
feedsOutContract(`feeds, ${name}`, open)
scansContract(`scans, ${name}`, own.open)
// It relays and removes whatever stands in the outbox, that of other files too.
outboxContract(`outbox, ${name}`, another !== undefined, own.open)
