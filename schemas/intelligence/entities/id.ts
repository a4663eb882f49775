import { hash } from 'node:crypto'

/**
 * `<type>-<SHA3-256 hex of the normalised main value>` (decisions 3.1): the value alone
 * gives the id, so that records get their key in the log and duplicates are found without a look-up.
 */
export const entityId = (type: string, value: string): string => `${type}-${hash('sha3-256', value, 'hex')}`

/** Pattern of an id of any type. */
export const ENTITY_ID = '^[a-z0-9-]{1,64}-[0-9a-f]{64}$'
