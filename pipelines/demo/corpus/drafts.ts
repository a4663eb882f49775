import type { Dice } from './dice.ts'
import type { PlannedEntity } from './entities.ts'
import { ALLOWLIST, CERT, COMMUNITY, FEEDS, opinion, speakersOf } from './feeds.ts'
import { DAY, type Rhythm } from './rhythm.ts'

/** A report of the corpus before it is written out. */
export type Draft = {
  about: PlannedEntity
  /** Number of the feed. */
  feed: number
  /** Unix milliseconds. */
  at: number
  reputation: number | null
  /** The first one of its entity says what it has to do with others. */
  first: boolean
  mark: boolean
  restricted: boolean
}

const HOUR = 3_600_000
/** How often a second, a third and a fourth source speaks of an entity. */
const MORE = [0.42, 0.5, 0.45] as const
const REPEATED = 0.16
const RESTRICTED = 0.03
/** Share of entities that several sources report on for weeks, with statements that change. */
const LASTING = 0.006

/** The reports about one entity, in no order; all of them lie in the window. */
export function draftsOf(about: PlannedEntity, dice: Dice, rhythm: Rhythm): Draft[] {
  const { theme, severity, born } = about.group
  const { from, to } = rhythm
  const first = Math.min(to, Math.max(from, born(dice)))
  const drafts: Draft[] = []
  const speakers = [...speakersOf(about.type, theme)]

  function say(feed: number, time: number, grade = severity): void {
    const at = Math.floor(time)
    if (at > to) return
    const reputation = opinion(FEEDS[feed]!, theme.nature, grade, dice)
    drafts.push({ about, feed, at, reputation, first: drafts.length === 0, mark: false, restricted: false })
  }
  function takeFeed(): number {
    const feed = dice.weighted(speakers)
    if (speakers.length > 1)
      speakers.splice(
        speakers.findIndex(([known]) => known === feed),
        1,
      )
    return feed
  }

  say(takeFeed(), first)
  if (dice.chance(LASTING)) {
    const voices = Array.from({ length: 3 + dice.below(3) }, () => (speakers.length > 0 ? takeFeed() : drafts[0]!.feed))
    // From harmless over alarming to harmless again, at some point of which the window ends.
    const began = Math.min(first, from + dice.next() * 0.6 * (to - from))
    for (const feed of new Set(voices))
      for (let at = began + dice.after(2 * DAY); at < to; at += DAY + dice.after(4 * DAY)) {
        const through = (at - began) / (to - began)
        say(feed, rhythm.moment(dice, at - HOUR, at), 1 + 2 * Math.sin(through * Math.PI))
      }
    return drafts
  }
  for (const more of MORE) {
    if (speakers.length === 0 || !dice.chance(more)) break
    const feed = takeFeed()
    const at = first + dice.after(FEEDS[feed]!.delay * HOUR)
    say(feed, at <= to ? rhythm.moment(dice, at, at + DAY) : at)
  }
  for (const { feed, at } of [...drafts]) if (dice.chance(REPEATED)) say(feed, at + DAY + dice.after(6 * DAY))
  if (theme.nature === 'malicious' && dice.chance(RESTRICTED)) {
    say(CERT, first + dice.after(DAY))
    const last = drafts.at(-1)!
    if (last.feed === CERT && !last.first) last.restricted = true
  }
  return drafts
}

/** The covering marks, a moment after the window begins, and the sources that report marked or covered entities. */
export function marksOf(
  marked: readonly PlannedEntity[],
  covered: readonly PlannedEntity[],
  dice: Dice,
  rhythm: Rhythm,
): Draft[] {
  const { from, to } = rhythm
  const draft = { reputation: null, first: false, mark: false, restricted: false }
  return [
    ...marked.map((about): Draft => ({ ...draft, about, feed: ALLOWLIST, at: from, first: true, mark: true })),
    ...covered.map((about): Draft => ({ ...draft, about, feed: ALLOWLIST, at: from + 1, reputation: 1, first: true })),
    ...[...marked, ...covered].flatMap((about): Draft[] => {
      if (!dice.chance(0.5)) return []
      const at = rhythm.moment(dice, from + DAY, to)
      return [{ ...draft, about, feed: COMMUNITY, at, reputation: -1 - dice.below(3) }]
    }),
  ]
}
