import type { paths } from '../../api/schema.d.ts'

/** A feed as the platform answers it. */
export type Feed = paths['/api/feeds/v1/feeds/{id}']['get']['responses'][200]['content']['application/json']
