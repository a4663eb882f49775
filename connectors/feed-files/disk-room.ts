import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How many bytes each folder of a list has, the one that was used longest ago first. */
export type Room = {
  /** Looks how large a folder is now, as one that is used. */
  measure(folder: string): Promise<void>
  use(folder: string): void
  drop(folder: string): void
  /** Folders that have to go so that all are within the bound, the oldest first; never those of `but`. */
  over(but: ReadonlySet<string>): string[]
}

/** @param most bytes of all folders together */
export async function room(root: string, most: number): Promise<Room> {
  const sizes = new Map<string, number>()

  const put = (folder: string, bytes: number): void => {
    sizes.delete(folder)
    sizes.set(folder, bytes)
  }
  const measure = async (folder: string): Promise<void> => put(folder, await bytesOf(folder))

  for (const { folder } of await foldersOf(root)) await measure(folder)

  return {
    measure,
    use(folder) {
      const bytes = sizes.get(folder)
      if (bytes !== undefined) put(folder, bytes)
    },
    drop: (folder) => void sizes.delete(folder),
    over(but) {
      let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
      const gone: string[] = []
      for (const [folder, bytes] of sizes) {
        if (total <= most) break
        if (but.has(folder)) continue
        gone.push(folder)
        total -= bytes
      }
      return gone
    },
  }
}

/** `<root>/<feed>/<format>`, those that were changed longest ago first. */
async function foldersOf(root: string): Promise<{ folder: string; at: number }[]> {
  const found: { folder: string; at: number }[] = []
  for (const feed of await readdir(root))
    for (const format of await readdir(join(root, feed)).catch(() => [])) {
      const folder = join(root, feed, format)
      const about = await stat(folder).catch(() => null)
      if (about?.isDirectory()) found.push({ folder, at: about.mtimeMs })
    }
  return found.sort((a, b) => a.at - b.at)
}

async function bytesOf(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder).catch(() => []))
    bytes += (await stat(join(folder, name)).catch(() => null))?.size ?? 0
  return bytes
}
