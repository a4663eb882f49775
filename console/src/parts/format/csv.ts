import { notRun } from '../../../../schemas/feeds-out/formats/text/formula.ts'

function cell(value: string | number): string {
  const text = typeof value === 'number' ? String(value) : notRun(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows under their names as CSV (RFC 4180). Text that a spreadsheet would run as a formula gets a leading apostrophe. */
export const csv = (names: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [names, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Hands text, or a file that was made already, to the browser to keep. */
export function download(name: string, content: string | Blob, media = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type: media }) : content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
