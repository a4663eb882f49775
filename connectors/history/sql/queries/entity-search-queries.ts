import type { ShownRow } from './entities-queries.ts'

export { entitySurface } from '../search/entity-surface.ts'

/** A record of the surface of entities. */
export type EntityHit = Omit<ShownRow, 'audience' | 'version'> & { id: string }
