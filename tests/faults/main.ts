/**
 * Whether the tests would notice: plants faults in a copy of the checkout, one after another, and runs the test that is
 * there for each. `npm run faults` for all of them, `npm run faults -- 3 7` for some. Ends with 1 when one is not found.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyOf } from './copy.ts'
import { type Fault, planted } from './fault.ts'
import { FAULTS } from './list.ts'
import { endRunning, look } from './run.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Numbered = { n: number; fault: Fault }

function chosen(args: readonly string[]): Numbered[] {
  const all = FAULTS.map((fault, at) => ({ n: at + 1, fault }))
  const unknown = args.find((arg) => all.every(({ n }) => String(n) !== arg))
  if (unknown !== undefined) throw new Error(`there is no fault ${unknown}: they are 1 to ${all.length}`)
  return args.length === 0 ? all : all.filter(({ n }) => args.includes(String(n)))
}

const isServed = ({ fault: { test } }: Numbered): boolean =>
  test.server === undefined || (process.env[test.server] ?? '') !== ''

async function main(args: readonly string[]): Promise<number> {
  const all = chosen(args)
  // Before anything runs: a fault that has moved is mended in the list.
  for (const { fault } of all) planted(readFileSync(join(ROOT, fault.file), 'utf8'), fault)
  const served = all.filter(isServed)
  for (const { n, fault } of all.filter((one) => !isServed(one)))
    console.log(`${n}. ${fault.name}: not looked for, ${fault.test.server} names no server`)
  const { folder, remove } = copyOf(ROOT)
  process.once('exit', () => {
    endRunning()
    remove()
  })
  let found = 0
  for (const { n, fault } of served) {
    const began = performance.now()
    const verdict = await look(folder, fault)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    if (verdict.found) found++
    const what = verdict.found ? `found by "${verdict.test}"` : `NOT FOUND, ${verdict.why}`
    console.log(`${n}. ${fault.name}: ${what} in ${fault.test.file}, ${seconds} s`)
    if (verdict.found) console.log(`     ${verdict.by.slice(0, 200)}`)
  }
  console.log(`${found} of ${served.length} faults found`)
  return found === served.length && found > 0 ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }),
)
