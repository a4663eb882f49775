/** Hostile values in texts for people: nothing in them is a link, a line or a direction. Pure. */

/**
 * Invisible characters and those that turn the direction of a text; line ends; private use; tags, variation selectors and
 * fillers, which can smuggle text (Unicode: default ignorable).
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu

const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

const SCHEME = /([a-z][a-z0-9+.-]*):(?=\/\/)/gi
/** Schemes that need no slashes. */
const BARE_SCHEME = /\b(data|file|javascript|mailto|sms|tel|vbscript):/gi

/** Also the full stops that name resolvers read as one, and the wide at sign; in brackets already, or not. */
const JOINTS = /\[([.@\u3002\uff0e\uff20\uff61])\]|([.@\u3002\uff0e\uff20\uff61])/g

/** One line, of well-formed characters that can be seen. */
export const visible = (text: string): string => text.toWellFormed().replace(LINE_ENDS, ' ').replace(UNSEEN, '').trim()

/**
 * One line of at most `max` UTF-16 units, as receivers count them, without anything that cannot be seen. A longer one ends
 * in an ellipsis.
 */
export function oneLine(text: string, max: number): string {
  // Cut first: a value may have 64 KiB. What is dropped afterwards may leave less than there is room for.
  const head = text.slice(0, 4 * max)
  const seen = visible(head)
  return clipped(text.length > head.length ? `${seen}\u2026` : seen, max)
}

/**
 * The same, and nothing in it is a link any more: `hxxp://`, `1[.]2[.]3[.]4`, `a[@]b[.]c`. At most `max` UTF-16 units
 * after that.
 */
export function defanged(text: string, max: number): string {
  const safe = oneLine(text, max)
    .replace(SCHEME, (_, scheme: string) => (/^h(?:tt|xx)ps?$/i.test(scheme) ? `${unHttp(scheme)}:` : `${scheme}[:]`))
    .replace(BARE_SCHEME, '$1[:]')
    .replace(JOINTS, '[$1$2]')
  return clipped(safe, max)
}

const unHttp = (scheme: string): string => scheme.replace(/t/gi, 'x')

/** Never half of a character: a pair of surrogates is kept or dropped. */
const clipped = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}\u2026`
