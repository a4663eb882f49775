/** Which statement decides that something was changed. */

const VERBS: Readonly<Record<string, string>> = {
  insert: 'insert\\s+into',
  update: 'update',
  delete: 'delete\\s+from',
}
const ANY = Object.values(VERBS).join('|')

/**
 * Whether a statement writes one of these tables. A name may stand behind `insert`, `update` or `delete`: only that counts
 * then, as what expired is removed by requests too.
 */
export function decidesAmong(tables: readonly string[]): (sql: string) => boolean {
  const forms = tables.map((entry) => {
    const [table, verb] = entry.split(' ').reverse() as [string, string?]
    return `(?:${verb === undefined ? ANY : VERBS[verb]})\\s+"?${table}"?`
  })
  const form = new RegExp(`\\b(?:${forms.join('|')})(?![\\w])`, 'i')
  return (sql) => form.test(sql)
}
