import { hash } from 'node:crypto'

/**
 * `<type>-<SHA3-256 hex of the normalised main value>` (decisions 3.1): whoever knows the value knows the id, so the
 * log is keyed and duplicates are met without a look-up.
 */
export const entityId = (type: string, value: string): string => `${type}-${hash('sha3-256', value, 'hex')}`

/** Pattern of an id, whatever its type. */
export const ENTITY_ID = '^[a-z0-9-]{1,64}-[0-9a-f]{64}$'
