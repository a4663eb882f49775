/**
 * What an observation, a report and a look-up cost beside baselines of the same run, compared with `ratios.json`
 * (ratios.ts). Every check does the same. With `tables`: what each table of the store costs (tables.ts).
 * Run: npm run bench -- cost [record | tables [lines] [rounds]]
 */

import { compared, measuredRatios, recordedRatios, recordRatios } from './ratios.ts'
import { tables } from './tables.ts'

const [what, lines = 500_000, rounds = 3] = process.argv.slice(2)
if (what === 'tables') await tables(Number(lines), Number(rounds))
else {
  const ratios = await measuredRatios()
  if (what === 'record') recordRatios(ratios)
  for (const { of, ratio, recorded, more } of compared(ratios, recordedRatios()))
    console.log(`${of.padEnd(30)} ${ratio.toFixed(2).padStart(8)}, recorded ${recorded}, ${more.toFixed(2)} times`)
}
