/** Reads defanged indicators, which are written so that no reader opens them by accident. */

/** Stands for a dot that was defanged: a name with one is meant as a name. Of the private use area, so in no text. */
export const DOT = '\ue000'

const inBrackets = (what: string): RegExp => {
  const within = `[ \\t]?(?:${what})[ \\t]?`
  return new RegExp(`[ \\t]?(?:\\[${within}\\]|\\(${within}\\)|\\{${within}\\})[ \\t]?`, 'gi')
}

/**
 * Each pattern has a bounded length, so that a text takes time by its length, whatever it is made of. Schemes come last:
 * they are known by the `:` behind them.
 */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [inBrackets('\\.|dot'), DOT],
  [inBrackets('@|at'), '@'],
  [/\[:\/\/\]|\(:\/\/\)/g, '://'],
  [/\[:\]|\(:\)/g, ':'],
  [/\[\/\/\]/g, '//'],
  [/\[\/\]/g, '/'],
  // One bracket of the two, as in 203[.0[.113[.7.
  [/(?<=[a-z0-9])\[\.(?=[a-z0-9])|(?<=[a-z0-9])\.\](?=[a-z0-9])/gi, DOT],
  [/\\\//g, '/'],
  [/(?<=[a-z0-9])\\\.(?=[a-z0-9])/gi, DOT],
  [/\bh[[(](?:tt|xx)[\])]p(?=s?:|[[(]s[\])]:)/gi, 'http'],
  [/\bh(?:\*\*|__)p(?=s?:)/gi, 'http'],
  [/(?<=\bh(?:tt|xx)p)[[(]s[\])](?=:)/gi, 's'],
  [/(?<=\bh(?:tt|xx)ps?):\\\\(?=[a-z0-9[])/gi, '://'],
]
/** Any of these marks holds one of these signs. */
const MARK = /[[({\\\]*]|__p/i

/** Reads every mark of a line but the letters of its schemes; `DOT` stands for each dot that was defanged. */
export function withoutMarks(line: string): string {
  if (!MARK.test(line)) return line
  let text = line
  for (const [mark, meaning] of MARKS) text = text.replace(mark, meaning)
  return text
}

const FANGED: Readonly<Record<string, string>> = {
  hxxp: 'http',
  hxxps: 'https',
  hxtp: 'http',
  hxtps: 'https',
  htxp: 'http',
  htxps: 'https',
  meow: 'http',
  meows: 'https',
  fxp: 'ftp',
  fxps: 'ftps',
}

/** A scheme as it is meant, in lower case: `hXXps` is `https`. */
export const schemeMeant = (written: string): string => {
  const scheme = written.toLowerCase()
  return FANGED[scheme] ?? scheme
}

const SCHEME = /^(?:h(?:xx|xt|tx)ps?|meows?|fxps?)(?=:)/i

/** `hxxps[:]//evil[.]example` as `https://evil.example`; a text without such marks comes back as it is. */
export function refang(text: string): string {
  const plain = MARK.test(text) ? withoutMarks(text).replaceAll(DOT, '.') : text
  // Most texts begin with no such letters, and a test takes less than a replacement.
  return SCHEME.test(plain) ? plain.replace(SCHEME, schemeMeant) : plain
}
