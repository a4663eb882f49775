import { embeddedPeople } from '../../builders/accounts/team.ts'
import { invitationContract } from './suite.ts'

invitationContract('embedded', embeddedPeople)
