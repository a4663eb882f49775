import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TIERS } from './platform.ts'

type Limits = Record<string, Record<string, { value: number }>>

/** The tiers of tests with other limits for some, in a file of `folder`: the variable that names it. */
export function tiersWith(folder: string, given: Record<string, Limits>): Record<string, string> {
  const { tiers } = JSON.parse(readFileSync(TIERS, 'utf8')) as { tiers: Record<string, { limits: Limits }> }
  for (const [tier, limits] of Object.entries(given)) {
    const all = { ...tiers[tier]?.limits }
    for (const [area, some] of Object.entries(limits)) all[area] = { ...all[area], ...some }
    tiers[tier] = { limits: all }
  }
  const file = join(folder, 'tiers.json')
  writeFileSync(file, JSON.stringify({ tiers }))
  return { HARRIER_TIERS_FILE: file }
}
