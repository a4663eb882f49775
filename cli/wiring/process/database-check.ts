import type { PartsCheck } from '../../../api/http/parts-health.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { appliedMigration } from '../../../connectors/postgres/core/migrate.ts'

/** Apart from the checks of the roles without a database, which would load its client. */
export const databaseCheck = ({ db }: AccountsDatabase): PartsCheck => ({
  name: 'accounts',
  check: () => appliedMigration(db),
})
