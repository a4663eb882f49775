/** Longest header that is looked at, in characters. */
const MAX_DATE = 200

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?\s*(?:(Z|UTC|GMT)|([+-])(\d\d)(?::?(\d\d))?)?)?$/i
/** What JavaScript makes of a date, and the forms of HTTP: they begin with the day of the week. */
const WORDED = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s/i
const ZONED = /\b(?:gmt|utc)\b|[+-]\d{4}\b/i
const SECONDS = /^(\d{9,11})(?:\.(\d{1,9}))?$/
const MILLISECONDS = /^\d{12,14}$/

/**
 * A date as writers of STIX and servers of TAXII have it, as the timestamp of both standards: `2026-01-02T03:04:05.678901Z`,
 * with the digits that were written. Read are ISO 8601 with `Z`, with an offset, without a zone (UTC) or without a time
 * (midnight), the text of a date of JavaScript, dates of HTTP, and numbers of seconds or milliseconds (ADR 256). Of a header
 * that came more than once, the first is taken. null: it is none of these.
 */
export function writtenDate(written: string): string | null {
  const text = written
    .slice(0, MAX_DATE)
    .split(/,\s*(?=\d{4}-)/)[0]!
    .trim()
    .replace(/^"(.*)"$/, '$1')
  const iso = ISO.exec(text)
  if (iso !== null) return ofIso(iso)
  const seconds = SECONDS.exec(text)
  if (seconds !== null) return utc(Number(seconds[1]) * 1_000, seconds[2])
  if (MILLISECONDS.test(text)) return utc(Number(text), text.slice(-3))
  if (!WORDED.test(text)) return null
  return utc(Date.parse(ZONED.test(text) ? text : `${text} GMT`), undefined)
}

function ofIso(parts: RegExpExecArray): string | null {
  const [year, month, day, hours, minutes, seconds] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as Six
  if (month < 1 || month > 12 || hours > 23 || minutes > 59 || seconds > 59) return null
  const local = Date.UTC(year, month - 1, day, hours, minutes, seconds)
  if (new Date(local).getUTCDate() !== day) return null
  const offset = (Number(parts[10] ?? 0) * 60 + Number(parts[11] ?? 0)) * (parts[9] === '-' ? -60_000 : 60_000)
  return utc(local - offset, parts[7])
}

type Six = [number, number, number, number, number, number]

/** Digits after the second are kept as text: a number of milliseconds does not hold them. */
function utc(milliseconds: number, fraction: string | undefined): string | null {
  if (Number.isNaN(milliseconds)) return null
  const seconds = new Date(milliseconds).toISOString().slice(0, 19)
  return `${seconds}${fraction === undefined ? '' : `.${fraction}`}Z`
}
