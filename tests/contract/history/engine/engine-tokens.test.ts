import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { print } from '../../../../connectors/history/engine/statement/print.ts'
import { Refused } from '../../../../connectors/history/engine/statement/refused.ts'
import { type SqlToken, tokens } from '../../../../connectors/history/engine/statement/tokens.ts'
import { COMMENTS, ODD } from '../../../builders/analysts/hostile-pieces.ts'
import { USUAL } from '../../../builders/analysts/usual-sql.ts'
import { engineOn, engineTokens, ownSessions } from '../../../builders/history/engine-reading.ts'

const PUNCTUATION = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~']
const FORMS = [...PUNCTUATION, ...PUNCTUATION.flatMap((a) => PUNCTUATION.map((b) => a + b))]

/** A form before code of its own line and of the next, at the edge of a name, of a number and of a text. */
const PLACES: readonly ((form: string) => string)[] = [
  (f) => `SELECT 1 ${f} , 2\n, 3`,
  (f) => `SELECT a${f}b\n, c`,
  (f) => `SELECT 1${f}2`,
  (f) => `SELECT 'a'${f}'b'\n, 'c'`,
  (f) => `${f}1 AS a, ${f}\n2`,
  (f) => `SELECT 1${f} x${f} , 2\n, 3 ${f}`,
  (f) => `SELECT 1 ${f} ' , 2\n, 3 ${f} ' \n , 4`,
  (f) => `)${f}5 ]${f}5`,
]

/** The tokens, or undefined for what is refused. */
const ours = (text: string): SqlToken[] | undefined => {
  try {
    return [...tokens(text)]
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

const { sessions, close } = ownSessions()
afterAll(close)

/** What we accept of the texts, each with our tokens; fails where the engine sees other ones. */
const agreed = async (texts: readonly string[]): Promise<{ text: string; list: SqlToken[] }[]> => {
  const theirs = await engineTokens(sessions, texts)
  return texts.flatMap((text, i) => {
    const list = ours(text)
    if (list === undefined) return []
    const bytes = (at: number): number => Buffer.byteLength(text.slice(0, at))
    const mine = list.map(({ from, to, kind }) => ({ from: bytes(from), to: bytes(to), kind }))
    expect([text, mine]).toEqual([text, theirs[i]!.filter(({ kind }) => kind !== 'comment')])
    return [{ text, list }]
  })
}

/** What is printed means the same to the engine, holds no comment, and reads the same to us. */
const printsTheSame = async (accepted: readonly { text: string; list: SqlToken[] }[]): Promise<void> => {
  const full = accepted.filter(({ list }) => list.length > 0)
  const printed = full.map(({ list }) => print(list))
  const theirs = await engineTokens(sessions, printed)
  full.forEach(({ text, list }, i) => {
    expect([text, theirs[i]!.map(({ kind }) => kind)]).toEqual([text, list.map(({ kind }) => kind)])
    const again = ours(printed[i]!)?.map(({ kind, text: of }) => [kind, of])
    expect([text, again]).toEqual([text, list.map(({ kind, text: of }) => [kind, of])])
  })
  const statements = await engineOn<string | null>(
    sessions,
    'formatQueryOrNull(x)',
    full.map(({ text }) => text),
  )
  const anew = await engineOn<string | null>(sessions, 'formatQueryOrNull(x)', printed)
  full.forEach(({ text }, i) => {
    // What the engine does not read as a statement may become one only where a comment was not one at its end.
    if (statements[i] !== null) expect([text, anew[i]]).toEqual([text, statements[i]])
  })
}

describe('our tokens and those of the engine', () => {
  test('are the same around every one and two marks, or the statement is refused', async () => {
    const texts = FORMS.flatMap((form) => PLACES.map((place) => place(form)))
    expect(texts.length).toBe(1056 * PLACES.length)
    const accepted = await agreed(texts)
    expect(accepted.length).toBeGreaterThan(4000)
    await printsTheSame(accepted)
  })

  test('are the same for every byte and some wider characters, or the statement is refused', async () => {
    const wide = [...'\u00a0\u2028\u200b\ufeff“”‘’«»−＇；／ａéяß\u3000\u0085']
    const characters = [...Array.from({ length: 128 }, (_, i) => String.fromCharCode(i)), ...wide]
    const texts = characters.flatMap((c) => [...PLACES.map((place) => place(c)), `SELECT 1 // ${c} x\n, '${c}'`])
    await printsTheSame(await agreed(texts))
  })

  test('are the same for comments, numbers, texts and marks in any order, or the statement is refused', async () => {
    const piece = fc.constantFrom(...COMMENTS, ...ODD, 'SELECT', ' ', '\n', 'a', '1', ',', "'x'", '`y`', '(', ')')
    const text = fc.array(piece, { minLength: 1, maxLength: 9 }).map((of) => of.join(''))
    const numRuns = Number(process.env.HARRIER_SQL_RUNS ?? 120) * 50
    const accepted = await agreed(fc.sample(text, { numRuns, seed: 812 }))
    expect(accepted.length).toBeGreaterThan(numRuns / 20)
    await printsTheSame(accepted)
  })

  test('are the same in the usual forms of SQL, none of which is refused', async () => {
    const accepted = await agreed(USUAL)
    expect(accepted.length).toBe(USUAL.length)
    await printsTheSame(accepted)
  })

  test('a text means the same after every escape, or the statement is refused', async () => {
    const escapes = Array.from({ length: 128 }, (_, i) => `'a\\${String.fromCharCode(i)}41b'`)
    const texts = [...escapes, "'it''s'", "'\\\\'", "'\\x00\\x7f'", "'\\xff'", "'\\d\\%\\_'", "'é\\é'"]
    const known = texts.filter((text) => ours(text) !== undefined)
    expect(known.length).toBeGreaterThan(120)
    for (const text of known) {
      const [hex] = await engineOn<string>(sessions, `hex(${text})`, ['x'])
      const mine = ours(text)!
      expect([text, mine.length, Buffer.from(mine[0]!.text).toString('hex').toUpperCase()]).toEqual([text, 1, hex])
      expect(await engineOn<string>(sessions, `hex(${print(mine)})`, ['x'])).toEqual([hex])
    }
  })
})
