import type { Answers, Listed, Places } from '../../answers/port.ts'
import { readSubject } from './subject.ts'

/**
 * Where a name below the zone stands: listed, with what is said of it; `empty`: without data, above something that is
 * listed; `absent`: neither it nor anything below it exists (RFC 8020).
 */
export type Standing = Listed | 'empty' | 'absent'

/** Of `::FFFF:7F00:1` and `::FFFF:7F00:2` all but the last digit. */
const MAPPED_LOOPBACK = `0.0.0.0.0.f.7.f.f.f.f${'.0'.repeat(20)}`

/** What is listed in every list: whoever uses one tries with these whether it works (RFC 5782, section 5). */
const LISTED_TESTS = ['2.0.0.127', `2.${MAPPED_LOOPBACK}`, 'test']
/** What is listed in none: a list that lists these lists everything. */
const UNLISTED_TESTS: ReadonlySet<string> = new Set(['1.0.0.127', `1.${MAPPED_LOOPBACK}`, 'invalid'])

const TESTS: ReadonlyMap<string, Listed> = new Map(
  LISTED_TESTS.map((value) => [value, { value, listed: true, reputation: -1, accuracy: 0, tags: ['test-entry'] }]),
)
const ABOVE_TESTS: ReadonlySet<string> = new Set(LISTED_TESTS.flatMap(namesAbove))

/** Where a name relative to the zone stands, as `readSubject` takes it; not the apex. */
export function standingOf(relative: string, answers: Answers, places: Places): Standing {
  const test = TESTS.get(relative)
  if (test !== undefined) return test
  const { key, networks, name } = readSubject(relative)
  if (key !== null && !UNLISTED_TESTS.has(relative)) {
    const answer = answers.answer(key)
    if (answer.listed && answer.reputation < 0) return answer
  }
  const exists =
    ABOVE_TESTS.has(relative) ||
    networks.some((network) => places.holdsListed(network)) ||
    (name !== null && places.isAboveListed(name))
  return exists ? 'empty' : 'absent'
}

function namesAbove(relative: string): string[] {
  const labels = relative.split('.')
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'))
}
