import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { FORMATS } from '../../../schemas/feeds-out/formats/format-table.ts'
import { HOSTILE } from './hostile-items.ts'
import { writtenOf } from './list-items.ts'
import { randomItems } from './random-items.ts'

const RANDOM = 10_000

/** What programs of others are given to read: all hostile values, and items as they are. */
export const feedItems = (): FeedItem[] => [...HOSTILE, ...randomItems(RANDOM, 1)]

/** A folder with the items in each format, in a file of its name. */
export function feedFiles(items: readonly FeedItem[]): { folder: string; path(name: string): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-feeds-'))
  for (const format of FORMATS)
    if (format.write !== null) writeFileSync(join(folder, format.name), writtenOf(format, items).bytes)
  return {
    folder,
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
