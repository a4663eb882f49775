/** Lines of text under each other: columns as wide as their longest word, control characters made visible. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((row) => row.map(plain))
  const widths = head.map((_, column) => Math.max(...lines.map((row) => row[column]!.length)))
  return lines
    .map(
      (row) =>
        `${row
          .map((word, i) => word.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** One line that does nothing to a terminal. */
export const plain = (text: string): string => text.replace(/\p{C}/gu, '\ufffd')
