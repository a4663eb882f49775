/** Reads defanged indicators, which are written so that no reader opens them by accident. */

/** Any of the marks below begins with one of these. */
const MARK = /[[({\\]|^(?:hxx|fxp)/i

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/^hxxp(s?)(?=\W)/i, 'http$1'],
  [/^fxp(?=\W)/i, 'ftp'],
  [/\[:\/\/\]|\(:\/\/\)/g, '://'],
  [/\[(?:\.|dot)\]|\((?:\.|dot)\)|\{(?:\.|dot)\}|\\\./gi, '.'],
  [/\[:\]|\(:\)/g, ':'],
  [/\[(?:@|at)\]|\((?:@|at)\)/gi, '@'],
]

/** `hxxps[:]//evil[.]example` as `https://evil.example`; text without such marks comes back as it is. */
export function refang(text: string): string {
  if (!MARK.test(text)) return text
  let plain = text
  for (const [mark, meaning] of MARKS) plain = plain.replace(mark, meaning)
  return plain
}
