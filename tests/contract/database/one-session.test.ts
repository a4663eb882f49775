/**
 * On the embedded database, one for all: what each suite promises of things that are done at once, and of signals. Its
 * only session does one thing after the other, so what holds on a server may end otherwise here, or never.
 */

import { afterAll } from 'vitest'
import { memoryDatabase } from '../../builders/accounts/database/memory-database.ts'
import { untouched as test } from '../../builders/accounts/database/suites.ts'
import { peopleOf } from '../../builders/accounts/team.ts'
import { accountsContract } from '../accounts/suite.ts'
import { bulkContract } from '../bulk/suite.ts'
import { caseworkContract } from '../casework/suite.ts'
import { commentsContract } from '../comments/suite.ts'
import { computeContract } from '../compute/suite.ts'
import { deliveriesContract } from '../deliveries/suite.ts'
import { emailsContract } from '../emails/suite.ts'
import { feedsOutContract } from '../feeds-out/suite.ts'
import { inboxContract } from '../inbox/suite.ts'
import { limitsContract } from '../limits/suite.ts'
import { liveContract } from '../live/suite.ts'
import { outboxContract } from '../outbox/suite.ts'
import { subscriptionsContract } from '../payments/suite.ts'
import { scansContract } from '../scans/suite.ts'
import { keysContract } from '../sessions/keys.ts'
import { sessionsContract } from '../sessions/suite.ts'
import { invitationContract } from '../team/suite.ts'
import { workSignalsContract } from '../work-signals/suite.ts'

const database = await memoryDatabase()
afterAll(() => database.close())
const open = async () => ({ ...database, close: async () => undefined })
const people = async () => peopleOf(await open())

// What is due next is told of the whole database: it comes first.
workSignalsContract('work signals', open, null)
accountsContract('accounts', people, test)
invitationContract('one session', people, test)
emailsContract('emails', open, test)
sessionsContract('sessions', open, test)
keysContract('key pairs', open, test)
subscriptionsContract('subscriptions', open, test)
limitsContract('limits', open, test)
computeContract('compute', open, test)
bulkContract('bulk requests', open, undefined, test)
inboxContract('statuses of the inbox', open, undefined, test)
liveContract('live streams', open, undefined, test)
commentsContract('comments', open, test)
feedsOutContract('feeds', open, test)
scansContract('scans', open, test)
caseworkContract('casework', open, test)
deliveriesContract('deliveries', open, test)
outboxContract('outbox', false, open, test)
