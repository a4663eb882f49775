import { join } from 'node:path'
import { Unusable } from '../lmdb/environment.ts'
import { madeFolders } from '../lmdb/made-folders.ts'
import { FORM } from './entry.ts'
import { openList } from './list.ts'
import type { EdgeList, EdgeLists } from './port.ts'

const GIB = 1024 ** 3
/** Room of a list in the address space and on the disk: 10 M items take some 2 GiB. */
const MAX_BYTES = 16 * GIB

/**
 * The lists below `<data>/lists`.
 * @param writes whether this process keeps them; else they are read
 */
export function listFolder(data: string, { writes }: { writes: boolean }): EdgeLists {
  const folders = madeFolders(join(data, 'lists'))
  return {
    open(): EdgeList | null {
      const path = folders.current()
      if (path === null) return null
      try {
        const list = openList(path, writes ? MAX_BYTES : null, null)
        const { complete, form } = list.state() as { complete: boolean; form?: string }
        if (complete && form === FORM) return list
        void list.close()
        return null
      } catch (error) {
        if (error instanceof Unusable) return null
        throw error
      }
    },
    begin(feed) {
      const path = folders.begin()
      const list = openList(path, MAX_BYTES, { feed, cursor: '', sequence: 0, items: 0, complete: false })
      return {
        ...list,
        async finish(at) {
          await list.apply([], at)
          await list.close()
          folders.promote(path)
          return openList(path, MAX_BYTES, null)
        },
      }
    },
    removeOthers: folders.removeOthers,
  }
}
