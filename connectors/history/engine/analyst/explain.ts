import { literal } from '../statement/literals.ts'
import { badRequest, denied } from '../statement/refused.ts'
import { isMark, isName, type SqlToken, wordOf } from '../statement/tokens.ts'

/**
 * `EXPLAIN` of a SELECT, over tables that are as empty as they are alike: those of a hollow database, with the columns
 * of the views. A plan over the views would name tables and filters, and differ with rows of others (ADR 257).
 */

export type Explained = { kind: string; options: string; select: readonly SqlToken[] }

const KINDS = ['AST', 'SYNTAX', 'QUERY TREE', 'PLAN', 'PIPELINE', 'ESTIMATE']
const OPTIONS = new Set(
  'header description actions indexes json pretty compact compact_tree graph oneline run_passes dump_passes passes dump_tree dump_ast run_query_tree_passes query_tree_passes optimize rewrite'.split(
    ' ',
  ),
)

/** The parts of an EXPLAIN. @throws Refused ACCESS_DENIED for an option that is not known, or for what is no SELECT */
export const explained = (list: readonly SqlToken[]): Explained => {
  let at = 1
  const kind = KINDS.find((of) => of.split(' ').every((word, i) => wordOf(list[at + i]) === word.toLowerCase()))
  at += kind === undefined ? 0 : kind.split(' ').length
  const options: string[] = []
  for (; isName(list[at]) && isMark(list[at + 1], '='); at += isMark(list[at + 3], ',') ? 4 : 3) {
    const [name, value] = [wordOf(list[at]), list[at + 2]]
    if (!OPTIONS.has(name) || !/^\d{1,3}$/.test(value?.text ?? ''))
      throw denied(`the option '${list[at]!.text.slice(0, 60)}' of EXPLAIN is not allowed here`)
    options.push(`${name} = ${value!.text}`)
  }
  const select = list.slice(at)
  if (!['select', 'with'].includes(wordOf(select.find((token) => !isMark(token, '(')))))
    throw denied('EXPLAIN is only answered for a SELECT')
  return { kind: kind ?? 'PLAN', options: options.join(', '), select }
}

/** What an EXPLAIN begins with: of known words and digits. */
export const explainHead = ({ kind, options }: Explained): string => `EXPLAIN ${kind} ${options}`.trim()

/** Of the lines of a plan, in characters; they are sent back to the engine as a statement. */
const MAX_PLAN = 400_000

/**
 * The statement that answers with a plan.
 * @param lines of the plan, each as a list with one text
 * @param names the databases: as the engine calls it, which is not told, and as analysts see it
 * @throws Refused BAD_ARGUMENTS for a plan that is too long
 */
export const planStatement = (lines: string, { hollow, home }: { hollow: string; home: string }): string => {
  if (lines.length > MAX_PLAN) throw badRequest(`the plan is longer than ${MAX_PLAN} characters`)
  const rows = lines.split('\n').filter((line) => line !== '')
  const texts = rows.map((row) => literal(String((JSON.parse(row) as unknown[])[0]).replaceAll(hollow, home)))
  if (texts.length === 0) return "SELECT '' AS explain WHERE 0"
  return `SELECT explain FROM values('explain String', ${texts.map((text) => `(${text})`).join(', ')})`
}
