import type { Dice } from './dice.ts'
import type { Rhythm } from './rhythm.ts'
import { DAY } from './rhythm.ts'
import { CAMPAIGNS, EVERYDAY_LIFE, type Theme } from './themes.ts'

/** Entities that have to do with each other: a campaign, or what is seen together on any day. */
export type Group = {
  theme: Theme
  /** Malware of a campaign. */
  family: string | null
  /** 1 to 3. */
  severity: number
  size: number
  /** When one of its entities is first spoken of. */
  born(dice: Dice): number
}

/** How much of a corpus campaigns are. */
const CAMPAIGN_SHARE = 0.45
const EVERYDAY_SIZE = [12, 60] as const
const CAMPAIGN_SIZE = [24, 1_200] as const

/** Groups, one after the other, in the requested number, of at most `most` entities each. */
export function groups(dice: Dice, { from, to, moment }: Rhythm, family: (i: number) => string) {
  let campaigns = 0

  function campaign(most: number): Group {
    const [least, greatest] = CAMPAIGN_SIZE
    const began = moment(dice, from, to - DAY / 4)
    // Waves that break at once and ebb away, some of them again after days.
    const ebb = (0.4 + dice.after(1.6)) * DAY
    const again = dice.chance(0.4) ? (3 + dice.after(8)) * DAY : null
    return {
      theme: dice.weighted(CAMPAIGNS),
      family: family(campaigns++),
      severity: dice.weighted([
        [1.6, 2],
        [2.4, 4],
        [3, 6],
      ]),
      // Few are big: as many of twice the size as of the size above.
      size: Math.min(most, Math.floor(least * (greatest / least) ** (dice.next() ** 2))),
      born(of) {
        const wave = again !== null && of.chance(0.35) ? began + again : began
        const at = wave + of.after(ebb)
        // What would come after the window comes before its end, without piling up there.
        return at > to ? moment(of, began, to) : moment(of, at, at + 2 * DAY)
      },
    }
  }

  function everyday(most: number): Group {
    const [least, greatest] = EVERYDAY_SIZE
    const about = moment(dice, from, to)
    return {
      theme: dice.weighted(EVERYDAY_LIFE),
      family: null,
      severity: 1 + dice.below(3),
      size: Math.min(most, least + dice.below(greatest - least)),
      born: (of) => moment(of, Math.max(from, about - 8 * DAY), Math.min(to, about + 8 * DAY)),
    }
  }

  let inCampaigns = 0
  let inAll = 0
  return (most: number): Group => {
    const group = inCampaigns <= CAMPAIGN_SHARE * inAll ? campaign(most) : everyday(most)
    inAll += group.size
    if (group.family !== null) inCampaigns += group.size
    return group
  }
}
