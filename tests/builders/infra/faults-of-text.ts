/** Most words of one sentence. What is quoted as code counts as one word. */
const MAX_WORDS = 50

/** Words that a reader stumbles over, and the one spelling of others. */
const FORBIDDEN = /\b(please|whoever|whomsoever|anew|e-mail|is none any more|goes on)\b/i

/** What makes a text of the platform hard to read, each with the text. */
export function faultsOfText(text: string): string[] {
  const faults: string[] = []
  const word = FORBIDDEN.exec(text)?.[0]
  if (word !== undefined) faults.push(`"${word}"`)
  if (/\w\(s\)/.test(text)) faults.push('a plural in brackets')
  for (const sentence of text.replaceAll(/`[^`]*`/g, 'code').split(/[.;:]\s/)) {
    const { length } = sentence.split(/\s+/).filter((part) => /\w/.test(part))
    if (length > MAX_WORDS) faults.push(`a sentence of ${length} words`)
  }
  return faults.map((fault) => `${fault}: ${text}`)
}
