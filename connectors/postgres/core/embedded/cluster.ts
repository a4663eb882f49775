/**
 * A new cluster of the embedded PostgreSQL with all migrations applied, as a tar: to make one takes 6 CPU-seconds, to
 * unpack one 1. A build has it (ADR 285). It holds nothing of an installation: no migration stores what is drawn or timed.
 */

import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { migrateEmbedded } from './embedded-database.ts'

const PACKED = new URL('accounts.tar', import.meta.url)

/** The cluster of this build; undefined where the sources run, which have none. */
export const packedCluster = (): Promise<Blob | undefined> =>
  readFile(PACKED).then(
    (bytes) => new Blob([bytes]),
    () => undefined,
  )

export async function makeCluster(): Promise<Blob> {
  const made = await PGlite.create()
  await migrateEmbedded(made)
  const dump = await made.dumpDataDir('none')
  await made.close()
  return dump
}
