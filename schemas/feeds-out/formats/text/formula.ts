/** Text that a spreadsheet would run. */

/** What a spreadsheet takes for a formula, also behind blanks, and behind the `'` that is put before it. */
const FORMULA = /^[\s']*[=+\-@]/

/** The text with a leading `'` where a spreadsheet would run it. The `'` can be undone: only such texts begin with one. */
export const notRun = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)
