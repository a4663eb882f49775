/** Look-ups in an index that nothing changes. */

import type { History } from '../../../../connectors/history/port.ts'
import { indexFolder } from '../../../../connectors/lookups/index/index-folder.ts'
import { indexStore } from '../../../../connectors/lookups/index/open-index.ts'
import { lookupSource } from '../../../../connectors/lookups/lookup-source.ts'
import type { Lookups } from '../../../../connectors/lookups/port.ts'
import { scanEntities } from '../../../../connectors/lookups/scan-entities.ts'

const GIB = 1024 ** 3

const notAsked = (): Promise<never> => Promise.reject(new Error('the store was asked'))
const NO_STORE: Lookups = {
  by: 'store',
  rows: notAsked,
  wholeRows: notAsked,
  entities: notAsked,
  keyed: notAsked,
  around: notAsked,
}

/** Makes an index of all entities in a folder. @returns bytes on the disk */
export async function makeIndex(folder: string, history: Pick<History, 'query'>): Promise<number> {
  const index = indexStore(indexFolder(folder), 16 * GIB, Date.now).begin({ database: '', position: 0, applied: [] })
  for await (const part of scanEntities(history)) await index.append(part, {})
  await index.append([], { complete: true })
  index.promote()
  const bytes = index.bytes()
  await index.close()
  return bytes
}

/** Reads it. It is never behind, and asks no store but the one that is given. */
export const stillLookups = (folder: string, store: Lookups = NO_STORE) =>
  lookupSource({
    folder: indexFolder(folder),
    store,
    database: async () => '',
    end: async () => 0,
    now: () => 0,
    pause: async () => undefined,
    onFailure: (error) => console.error(error),
  })
