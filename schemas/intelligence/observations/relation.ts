import { hash } from 'node:crypto'
import type { LinkMode } from './observation.ts'

/** A relation in the direction in which it was stated: the source named the target. */
export type Stated = { mode: LinkMode; source: string; target: string }

/**
 * Id of a relation: SHA3-256, in hex, of its mode and the ids of both ends. Whoever states it, and however often, it is
 * the same one; the ends the other way round are another.
 */
export const relationId = ({ mode, source, target }: Stated): string =>
  hash('sha3-256', `${mode} ${source} ${target}`, 'hex')
