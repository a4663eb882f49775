import { accountsReference } from './accounts.ts'
import { administrationReference } from './administration.ts'
import { workReference } from './casework.ts'
import { knowledgeReference } from './intelligence.ts'
import { operationReference } from './operation.ts'
import type { References } from './reference.ts'

/** The references of all routes, by `<method> <path>`. */
export const REFERENCES: References = {
  ...knowledgeReference,
  ...workReference,
  ...accountsReference,
  ...administrationReference,
  ...operationReference,
}
