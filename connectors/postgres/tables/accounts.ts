import type { Generated } from 'kysely'

/** The table of the store of users. */
export type AccountTables = {
  users: {
    id: string
    email: string
    full_name: string
    alias: string
    roles: string[]
    groups: string[]
    disabled: Generated<boolean>
    created_at: Date
  }
}
