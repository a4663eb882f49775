import { accountsReference } from './accounts.ts'
import { administrationReference } from './administration.ts'
import { knowledgeReference } from './knowledge.ts'
import { operationReference } from './operation.ts'
import type { References } from './reference.ts'
import { workReference } from './work.ts'

/** The references of all routes, by `<method> <path>`. */
export const REFERENCES: References = {
  ...knowledgeReference,
  ...workReference,
  ...accountsReference,
  ...administrationReference,
  ...operationReference,
}
