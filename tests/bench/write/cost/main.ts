/**
 * What an observation, a report and a look-up cost beside baselines of the same run, compared with `ratios.json`
 * (ratios.ts). Every check does the same. Run: npm run bench -- cost [record]
 */

import { compared, measuredRatios, recordedRatios, recordRatios } from './ratios.ts'

const ratios = await measuredRatios()
if (process.argv[2] === 'record') recordRatios(ratios)
for (const { of, ratio, recorded, more } of compared(ratios, recordedRatios()))
  console.log(`${of.padEnd(28)} ${ratio.toFixed(2).padStart(8)}, recorded ${recorded}, ${more.toFixed(2)} times`)
