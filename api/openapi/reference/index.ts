import { accountsReference } from './accounts.ts'
import { accountsAdministrationReference } from './accounts-administration.ts'
import { alertsReference } from './alerts.ts'
import { assistantsReference } from './assistants.ts'
import { caseworkReference } from './casework.ts'
import { exchangeReference } from './exchange.ts'
import { feedsOutReference } from './feeds-out.ts'
import { intelligenceReference } from './intelligence.ts'
import { liveReference } from './live.ts'
import { matchReference } from './match.ts'
import { operationReference } from './operation.ts'
import type { References } from './reference.ts'
import { scansReference } from './scans.ts'

/** The references of all routes, by `<method> <path>`. */
export const REFERENCES: References = {
  ...intelligenceReference,
  ...feedsOutReference,
  ...exchangeReference,
  ...liveReference,
  ...matchReference,
  ...assistantsReference,
  ...scansReference,
  ...caseworkReference,
  ...alertsReference,
  ...accountsReference,
  ...accountsAdministrationReference,
  ...operationReference,
}
