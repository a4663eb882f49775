import { syntax } from '../statement/refused.ts'
import { isMark, isName, type SqlToken } from '../statement/tokens.ts'

/** `SET a = 1, b = 'x'` of a SQL user. */

export type Setting = readonly [name: string, value: string]

const MAX_SETTINGS = 100

/** @throws Refused SYNTAX_ERROR that says what is expected */
export const settingsOf = (list: readonly SqlToken[]): Setting[] => {
  const found: Setting[] = []
  for (let at = 1; ; ) {
    const [name, equals, value] = list.slice(at, at + 3)
    if (
      !isName(name) ||
      !isMark(equals, '=') ||
      value === undefined ||
      value.kind === 'mark' ||
      value.kind === 'quoted'
    )
      throw syntax('SET takes settings and their values: SET <name> = <value>, ...')
    if (found.push([name.text, value.text]) > MAX_SETTINGS) throw syntax(`SET takes ${MAX_SETTINGS} settings at most`)
    at += 3
    if (at === list.length) return found
    if (!isMark(list[at], ',')) throw syntax('settings of a SET are separated by commas')
    at++
  }
}
