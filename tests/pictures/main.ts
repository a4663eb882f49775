/**
 * Photographs every page of the console of a running platform, light, dark and as wide as a telephone, and writes when
 * each page paints something and what its scripts weigh: `npm run pictures -- --out <folder>`
 * (docs/contribute/pictures.md). Ends with 1 when a page complained, with 2 when it cannot be used as it was typed.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../builders/console/chromium.ts'
import { addressesOf, mostTelling, type Seen } from './addresses.ts'
import { type Options, optionsOf, USAGE } from './options.ts'
import { type Row, rowOf, tableOf } from './table.ts'
import { take, type Visit } from './take.ts'

const ASK_MS = 30_000

async function recentlySeen({ url }: Options): Promise<Seen[]> {
  const response = await fetch(`${url}/api/analytics/v1/recent?limit=100`, { signal: AbortSignal.timeout(ASK_MS) })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return ((await response.json()) as { items: Seen[] }).items
}

async function pictures(options: Options): Promise<Row[]> {
  const entity = options.entity ?? mostTelling(await recentlySeen(options))
  const addresses = addressesOf(entity, options.pages)
  mkdirSync(options.out, { recursive: true })
  const browser = await openBrowser()
  const rows: Row[] = []
  try {
    for (const address of addresses) {
      const visits: Record<string, Visit> = {}
      for (const look of options.looks) visits[look] = await take(browser, address, look, options)
      const row = rowOf(address.name, address.path, visits)
      rows.push(row)
      console.error(`${row.page}: ${row.firstPaintMs} ms, ${row.bundleKb} KiB ${row.complaints.join('; ')}`)
    }
  } finally {
    await browser.close()
  }
  return rows
}

let options: Options
try {
  options = optionsOf(process.argv.slice(2), process.env)
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`)
  process.exit(2)
}
try {
  const rows = await pictures(options)
  if (options.pages === null) {
    writeFileSync(join(options.out, 'pages.json'), `${JSON.stringify(rows, null, 2)}\n`)
    writeFileSync(join(options.out, 'pages.md'), tableOf(rows))
  }
  process.exitCode = rows.some(({ complaints }) => complaints.length > 0) ? 1 : 0
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
