import type { paths } from '../../../api/schema.d.ts'

/** An account in the list of users. */
export type User =
  paths['/auth/v2/admin/users']['get']['responses'][200]['content']['application/json']['users'][number]
