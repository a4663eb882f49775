/** The suites of accounts, teams and what is sold to them, whole. */

import { suiteDatabase } from '../../builders/accounts/database/suites.ts'
import { peopleOf } from '../../builders/accounts/team.ts'
import { accountsContract } from '../accounts/suite.ts'
import { computeContract } from '../compute/suite.ts'
import { emailsContract } from '../emails/suite.ts'
import { limitsContract } from '../limits/suite.ts'
import { namesContract } from '../names/suite.ts'
import { subscriptionsContract } from '../payments/suite.ts'
import { keysContract } from '../sessions/keys.ts'
import { sessionsContract } from '../sessions/suite.ts'
import { memberNamesContract } from '../team/names.ts'
import { invitationContract } from '../team/suite.ts'

const { name, open } = suiteDatabase(8)
const people = async () => peopleOf(await open())

accountsContract(`accounts, ${name}`, people)
invitationContract(name, people)
memberNamesContract(`names of members, ${name}`, people)
namesContract(`names of ids, ${name}`, open)
emailsContract(`emails, ${name}`, open)
sessionsContract(`sessions, ${name}`, open)
keysContract(`key pairs, ${name}`, open)
subscriptionsContract(`subscriptions, ${name}`, open)
limitsContract(`limits, ${name}`, open)
computeContract(`compute, ${name}`, open)
