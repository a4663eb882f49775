import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EngineSessions, openSessions } from '../../../connectors/history/engine/sessions.ts'
import { literal } from '../../../connectors/history/engine/statement/literals.ts'

/** Sessions on an engine of this process, in a folder of its own. */
export const ownSessions = (): { sessions: EngineSessions; folder: string; close(): Promise<void> } => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-sessions-'))
  const dir = join(folder, 'engine')
  const sessions = openSessions(dir, { read: 4, insert: 2, analyst: 2, queue: 1000 }, 4 * 1024 ** 3)
  return {
    sessions,
    folder,
    async close() {
      await sessions.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Piece = { from: number; to: number; kind: string }

const KINDS: Record<string, string> = {
  BareWord: 'word',
  Number: 'number',
  StringLiteral: 'text',
  HereDoc: 'text',
  QuotedIdentifier: 'quoted',
  Comment: 'comment',
}
const kindOf = (type: string): string => KINDS[type] ?? (type.startsWith('Error') ? 'error' : 'mark')

const AT_ONCE = 2000

/** What the engine says of texts, which reach it as texts: an expression over `x`, for each of them. */
export const engineOn = async <Row>(
  sessions: EngineSessions,
  expression: string,
  texts: readonly string[],
): Promise<Row[]> => {
  const found: Row[] = []
  for (let i = 0; i < texts.length; i += AT_ONCE) {
    const list = texts.slice(i, i + AT_ONCE).map(literal)
    const sql = `SELECT ${expression} FROM (SELECT arrayJoin([${list.join()}]) AS x)`
    const asked = { sql, format: 'JSONCompactEachRow', database: 'default', settings: {}, params: {} }
    const { bytes } = await sessions.run({ ...asked, lane: 'read' }, new AbortController().signal)
    for (const line of Buffer.from(bytes).toString().trim().split('\n')) found.push((JSON.parse(line) as [Row])[0])
  }
  return found
}

/** The tokens and comments of texts by the lexer of the engine; offsets are those of bytes. */
export const engineTokens = async (sessions: EngineSessions, texts: readonly string[]): Promise<Piece[][]> => {
  const said = "arrayFilter(t -> t.3 NOT IN ('Whitespace', 'EndOfStream'), tokenizeQuery(x))"
  const rows = await engineOn<{ begin: string; end: string; type: string }[]>(sessions, said, texts)
  return rows.map((row) => row.map((of) => ({ from: Number(of.begin), to: Number(of.end), kind: kindOf(of.type) })))
}
