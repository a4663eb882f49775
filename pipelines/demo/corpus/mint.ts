import { hash } from 'node:crypto'
import { COLOURS, CREATURES, ENDINGS, EVERYDAY, FILES, LURES, MAILBOXES, PATHS, SUBDOMAINS } from './corpus-words.ts'
import type { Dice } from './dice.ts'
import type { Theme } from './themes.ts'

/** Top-level domains that cannot be registered (RFC 2606, RFC 6761), with their frequencies. */
const TOP: readonly (readonly [string, number])[] = [
  ['example', 60],
  ['test', 25],
  ['invalid', 15],
]

/**
 * Values that do not exist anywhere, all of them distinct. Every digest is that of a text which says that it is
 * invented.
 */
export function mint(seed: number, dice: Dice) {
  let made = 0
  const names = dice.shuffled(COLOURS.flatMap((colour) => CREATURES.map((creature) => `${colour}${creature}`)))
  const withNumber = (parts: string): string => `${parts}${(++made).toString(36)}`
  const digest = (algorithm: string): string => hash(algorithm, `harrier demo ${seed} ${++made}`, 'hex')
  return {
    /** Of a family of malware; after some 1,200 of them with a number. */
    family(i: number): string {
      const round = Math.floor(i / names.length)
      return `${names[i % names.length]}${round === 0 ? '' : round + 1}`
    },
    /** Of those who are behind it. */
    actor: (i: number): string => `Demo Group ${i + 1}`,
    /** Of a year that has no entries yet. */
    cve: (i: number): string => `cve-2099-${10_000 + i}`,
    domain(nature: Theme['nature']): string {
      const words = nature === 'malicious' ? LURES : EVERYDAY
      return `${withNumber(`${dice.of(words)}-${dice.of(words)}-`)}.${dice.weighted(TOP)}`
    },
    hostname: (domain: string): string => `${withNumber(`${dice.of(SUBDOMAINS)}-`)}.${domain}`,
    mailbox: (domain: string): string => `${withNumber(`${dice.of(MAILBOXES)}.`)}@${domain}`,
    url(domain: string): string {
      const scheme = dice.chance(0.55) ? 'https' : 'http'
      return `${scheme}://${domain}/${dice.of(PATHS)}?id=${withNumber('')}`
    },
    filename: (): string => `${withNumber(`${dice.of(FILES)}_`)}.${dice.of(ENDINGS)}`,
    digest,
  }
}

export type Mint = ReturnType<typeof mint>
