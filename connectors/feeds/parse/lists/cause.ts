export const MORE_WORDS = 'more than one word'

/** What a value of no known kind looks like, and how a list of such values is read (ADR 255). */
const LOOKS: readonly (readonly [RegExp, string])[] = [
  [/^\s*[{[]\s*["{]/, 'a JSON object: --format jsonl with --columns reads one a line'],
  [/^(?:@@|\|\|?|\[adblock|!\s)|#[@?$%]?#|\^(?:\$|$)/i, 'a rule of a filter list: --format abp reads these'],
  [/^(?:local-zone|local-data|server)\s*:/i, 'configuration of Unbound: --format unbound reads it'],
  [/^(?:address|local|server)=\//i, 'configuration of dnsmasq: --format dnsmasq reads it'],
  [/\sCNAME\s/i, 'a record of a zone: --format rpz reads these'],
  [/^\*?\.[^\s/]+$/, 'a name with all names below it: --format abp reads these'],
  [/^[\d.]+\.\d+(?::\d+)?$/, 'not an address of IPv4: four numbers from 0 to 255, without leading zeros'],
  [/^\d+\.\d+\.\d+\.\d+\s*-\s*\d/, 'a range that does not end with an address'],
  [/^[^:/]{1,64}:\s*[\d.]+\s*-\s*[\d.]+$/, 'a label and a range: --format ranges reads these'],
  [/^["']|["']$/, 'quotes around a part of it'],
  [/^\w+:\/\/\S*\s/, 'a blank inside of a URL: write %20'],
  [/^[^\s,;|\t]+[,;|\t]/, 'several columns: --format csv or tsv with --columns reads them'],
  [/\s/, MORE_WORDS],
]

/** Longest text whose form is looked at. */
const MAX_TEXT = 512

/** What the form of a text says of the cause that it is no value; null when it says nothing. */
export const lookOf = (text: string): string | null =>
  LOOKS.find(([form]) => form.test(text.slice(0, MAX_TEXT)))?.[1] ?? null

/** Why a text is no indicator, with what its form says of the cause. */
export function causeOf(text: string): string {
  const look = lookOf(text)
  return look === null ? 'not an indicator of a known kind' : `not an indicator of a known kind (${look})`
}
