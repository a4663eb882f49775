import { expect, test } from 'vitest'
import { seededRandom } from '../../../../../platform/random.ts'
import { type History, historyOf } from '../../../../builders/history/match-model/history.ts'
import { longer } from '../../../../builders/platform/longer.ts'

/* Random histories, cut at their writes, against an account that is kept beside the job. HARRIER_SEED: one history. */

const SEED = Number(process.env.HARRIER_SEED ?? 0)
const seeds = SEED > 0 ? [SEED] : Array.from({ length: longer(20) }, (_, n) => n + 1)

test.each([
  ['that nothing cuts short', 0],
  ['that are cut short at any write', 0.06],
])(
  'histories %s tell exactly what each index met, once, and withdraw what left',
  async (_, perils) => {
    const sum = { deaths: 0, forward: 0, retro: 0, withdrawn: 0 }
    for (const seed of seeds) {
      const { faults, trace, ...of }: History = await historyOf(seededRandom(seed), perils)
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += of[name]
      expect(faults, `seed ${seed}\n${trace.join('\n')}`).toEqual([])
    }
    if (SEED > 0) return
    expect(sum.forward).toBeGreaterThan(seeds.length)
    expect(sum.retro).toBeGreaterThan(seeds.length)
    expect(sum.withdrawn).toBeGreaterThan(seeds.length / 10)
    expect(sum.deaths).toBeGreaterThanOrEqual(perils > 0 ? seeds.length : 0)
  },
  120_000,
)
